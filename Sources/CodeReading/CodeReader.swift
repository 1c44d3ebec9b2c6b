// The reader of codes: which steps are tried on a frame, and for how long.

import Devices

/// Reads the codes in the frames of a camera. Each frame is read as it is; if that gives nothing new, the other steps
/// follow as far as the budget goes, beginning with those that did not fit the last time.
package struct CodeReader {
    private let zbar = ZbarScanner()
    private let zxing = ZxingScanner()
    private let clock = ContinuousClock()
    private var costs = StepCosts()
    private var stills = StillFrames()
    private var wanted: Set<Symbology> = []
    /// The step that comes behind the first.
    private var next = ReadingStep.plainZbar
    private var lastCodes: [ReadCode] = []

    package init() {}

    /// Reads codes of the wanted kinds. But for the first, no step is begun that would probably not end in the budget.
    package mutating func read(_ picture: Picture, wanted: Set<Symbology>, budgetMilliseconds: Int) -> Reading {
        let start = clock.now
        let measures = Measures(picture)
        var reading = Reading(light: measures.light, isDark: measures.isDark, sharpness: measures.sharpness)
        if wanted != self.wanted { costs = StepCosts() }
        self.wanted = wanted
        costs.begin(points: picture.points)
        let frame = Frame(picture, &stills)

        attempt(.plainZxing, frame, into: &reading)
        var postponed: ReadingStep?
        for step in stepsInTurn() where reading.codes.isEmpty || reading.codes == lastCodes {
            let left = Double(budgetMilliseconds) - elapsedMilliseconds(since: start)
            if costs.milliseconds(step) <= left {
                attempt(step, frame, into: &reading)
            } else if costs.milliseconds(step) < Double(budgetMilliseconds) * 0.9 {
                postponed = postponed ?? step
            }
        }
        if reading.codes.isEmpty { next = postponed ?? .plainZbar }
        lastCodes = reading.codes
        reading.milliseconds = elapsedMilliseconds(since: start)
        return reading
    }

    /// All but the first, from the one that is next.
    private func stepsInTurn() -> [ReadingStep] {
        let ring = ReadingStep.allCases.dropFirst()
        return ring.drop { $0 != next } + ring.prefix { $0 != next }
    }

    private func elapsedMilliseconds(since start: ContinuousClock.Instant) -> Double {
        start.duration(to: clock.now) / .milliseconds(1)
    }

    /// Where a code declares in which letters it is written, zbar translates into UTF-8 and does not say so. What may have been
    /// translated counts only if zxing-cpp, which gives the bytes that were encoded, reads the same.
    private func exact(_ found: [FoundCode], in picture: Picture) -> [FoundCode] {
        guard found.contains(where: \.mayBeTranslated) else { return found }
        let confirmed = zxing.read(picture, wanted: wanted).map(\.payload)
        return found.filter { !$0.mayBeTranslated || confirmed.contains($0.payload) }
    }

    /// Takes a step, and notes what it cost.
    private mutating func attempt(_ step: ReadingStep, _ frame: Frame, into reading: inout Reading) {
        guard step.decoder == .zxing || !wanted.isDisjoint(with: ZbarScanner.symbologies.keys) else { return }
        let start = clock.now
        guard let picture = step.picture(frame) else { return }
        let found =
            switch step.decoder {
            case .zbar: exact(zbar.read(picture, wanted: wanted), in: picture)
            case .zxing: zxing.read(picture, wanted: wanted)
            }
        for code in found.compactMap({ $0.seen(in: picture) }) where !reading.has(code) {
            if reading.codes.isEmpty { reading.decoder = step.decoder }
            reading.codes.append(code)
        }
        costs.note(step, milliseconds: elapsedMilliseconds(since: start))
    }
}

extension FoundCode {
    /// Whether it is UTF-8 with more than ASCII in it.
    var mayBeTranslated: Bool { payload.contains { $0 >= 0x80 } && String(validating: payload, as: UTF8.self) != nil }

    /// The code, as large as it is in that picture; nil for one that says nothing.
    fileprivate func seen(in picture: Picture) -> ReadCode? {
        guard !payload.isEmpty else { return nil }
        let size = min(100, max(0, sidePoints * 100 / min(picture.width, picture.height)))
        return ReadCode(symbology, payload: payload, sizePercent: size)
    }
}

extension Reading {
    fileprivate func has(_ code: ReadCode) -> Bool {
        codes.contains { $0.symbology == code.symbology && $0.payload == code.payload }
    }
}

/// Milliseconds of each step, learnt from the frames before and from what the same frame has cost until now.
struct StepCosts {
    private var measured: [ReadingStep: Double] = [:]
    private var points = 0
    /// What zbar took for the frame as it is: the more edges a frame has, the longer, whatever is done to it.
    private var plainZbar: Double?

    /// Before the first step of a frame. Costs of pictures of another size tell nothing.
    mutating func begin(points: Int) {
        if points != self.points { measured = [:] }
        (self.points, plainZbar) = (points, nil)
    }

    /// What a step will probably take at most.
    func milliseconds(_ step: ReadingStep) -> Double {
        let unit = measured[.plainZxing] ?? 0
        let learnt = measured[step] ?? unit * step.expectedCost
        guard step.decoder == .zbar, let plainZbar else { return learnt }
        return max(learnt, plainZbar * step.expectedCost / ReadingStep.plainZbar.expectedCost)
    }

    /// Costs grow at once, for a crowded picture may be followed by another, and shrink slowly.
    mutating func note(_ step: ReadingStep, milliseconds: Double) {
        measured[step] = max(milliseconds, 0.9 * (measured[step] ?? 0) + 0.1 * milliseconds)
        if step == .plainZbar { plainZbar = milliseconds }
    }
}
