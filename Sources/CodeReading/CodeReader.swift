// The code reader: chooses the reading steps for each frame, within a time budget.

import Devices

/// Reads the codes in a camera's frames. zxing-cpp reads each frame unchanged. If it finds nothing new, the
/// other steps follow within the budget, starting with the step that did not fit into the last frame's.
package struct CodeReader {
    private let zbar = ZbarScanner()
    private let zxing = ZxingScanner()
    private let clock = ContinuousClock()
    private var costs = StepCosts()
    private var stills = StillFrames()
    private var wanted: Set<Symbology> = []
    /// The step that follows the first.
    private var next = ReadingStep.plainZbar
    private var lastCodes: [ReadCode] = []

    package init() {}

    /// Reads codes of the wanted kinds. After the first step, a step begins only if it is likely to fit the
    /// budget.
    package mutating func read(_ picture: Picture, wanted: Set<Symbology>, budgetMilliseconds: Int) -> FrameResult {
        let start = clock.now
        let measures = Measures(picture)
        var result = FrameResult(light: measures.light, isDark: measures.isDark, sharpness: measures.sharpness)
        if wanted != self.wanted { costs = StepCosts() }
        self.wanted = wanted
        costs.begin(points: picture.points)
        let frame = Frame(picture, &stills)

        attempt(.plainZxing, frame, into: &result)
        var postponed: ReadingStep?
        for step in stepsInTurn() where result.codes.isEmpty || result.codes == lastCodes {
            let left = Double(budgetMilliseconds) - elapsedMilliseconds(since: start)
            if costs.milliseconds(step) <= left {
                attempt(step, frame, into: &result)
            } else if costs.milliseconds(step) < Double(budgetMilliseconds) * 0.9 {
                postponed = postponed ?? step
            }
        }
        if result.codes.isEmpty { next = postponed ?? .plainZbar }
        lastCodes = result.codes
        result.milliseconds = elapsedMilliseconds(since: start)
        return result
    }

    /// Returns all steps but the first, beginning with `next`.
    private func stepsInTurn() -> [ReadingStep] {
        let ring = ReadingStep.allCases.dropFirst()
        return ring.drop { $0 != next } + ring.prefix { $0 != next }
    }

    private func elapsedMilliseconds(since start: ContinuousClock.Instant) -> Double {
        start.duration(to: clock.now) / .milliseconds(1)
    }

    /// Drops codes of zbar that may not be the encoded bytes. If a code declares its character set, zbar
    /// converts it to UTF-8 without notice. Such a payload counts only if zxing-cpp, which returns the
    /// encoded bytes, reads the same.
    private func exact(_ found: [FoundCode], in picture: Picture) -> [FoundCode] {
        guard found.contains(where: \.mayBeTranslated) else { return found }
        let confirmed = zxing.read(picture, wanted: wanted).map(\.payload)
        return found.filter { !$0.mayBeTranslated || confirmed.contains($0.payload) }
    }

    /// Runs a step and records its cost.
    private mutating func attempt(_ step: ReadingStep, _ frame: Frame, into result: inout FrameResult) {
        guard step.decoder == .zxing || !wanted.isDisjoint(with: ZbarScanner.symbologies.keys) else { return }
        let start = clock.now
        guard let picture = step.picture(frame) else { return }
        let found =
            switch step.decoder {
            case .zbar: exact(zbar.read(picture, wanted: wanted), in: picture)
            case .zxing: zxing.read(picture, wanted: wanted)
            }
        for code in found.compactMap({ $0.seen(in: picture) }) where !result.has(code) {
            if result.codes.isEmpty { result.decoder = step.decoder }
            result.codes.append(code)
        }
        costs.note(step, milliseconds: elapsedMilliseconds(since: start))
    }
}

extension FoundCode {
    /// True if the payload is UTF-8 with more than ASCII in it.
    var mayBeTranslated: Bool { payload.contains { $0 >= 0x80 } && String(validating: payload, as: UTF8.self) != nil }

    /// Returns the code with its size in that picture, or nil if its payload is empty.
    fileprivate func seen(in picture: Picture) -> ReadCode? {
        guard !payload.isEmpty else { return nil }
        let size = min(100, max(0, sidePoints * 100 / min(picture.width, picture.height)))
        return ReadCode(symbology, payload: payload, sizePercent: size)
    }
}

extension FrameResult {
    fileprivate func has(_ code: ReadCode) -> Bool {
        codes.contains { $0.symbology == code.symbology && $0.payload == code.payload }
    }
}

/// The cost of each step in milliseconds, learnt from earlier frames and earlier steps of this frame.
struct StepCosts {
    private var measured: [ReadingStep: Double] = [:]
    private var points = 0
    /// The cost of `plainZbar` on this frame. More edges slow every step of zbar down.
    private var plainZbar: Double?

    /// Begins a frame. The costs for another size do not apply, so they are dropped.
    mutating func begin(points: Int) {
        if points != self.points { measured = [:] }
        (self.points, plainZbar) = (points, nil)
    }

    /// Returns the likely upper bound of a step's cost.
    func milliseconds(_ step: ReadingStep) -> Double {
        let unit = measured[.plainZxing] ?? 0
        let learnt = measured[step] ?? unit * step.expectedCost
        guard step.decoder == .zbar, let plainZbar else { return learnt }
        return max(learnt, plainZbar * step.expectedCost / ReadingStep.plainZbar.expectedCost)
    }

    /// Records a cost. An estimate rises at once, since more crowded frames may follow, and falls slowly.
    mutating func note(_ step: ReadingStep, milliseconds: Double) {
        measured[step] = max(milliseconds, 0.9 * (measured[step] ?? 0) + 0.1 * milliseconds)
        if step == .plainZbar { plainZbar = milliseconds }
    }
}
