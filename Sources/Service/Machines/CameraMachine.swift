// The camera: its orders, its reports and its test.

import Alarms
import Challenges
import Devices
import Engine
import Health
import Text

/// All demands on the camera. A search takes precedence over a preview, and a preview over the preflight's
/// test.
struct CameraDemand: Hashable, Sendable {
    /// The symbologies that the engine wants read, by name; nil if it wants no code.
    var search: Set<String>?
    var isPreviewed = false
    var isTested = false

    /// The order for these demands. Symbologies that this camera does not support are left out.
    var order: CameraOrder {
        if let search { return .read(Set(search.compactMap(Symbology.init)), previews: isPreviewed) }
        return isPreviewed || isTested ? .read([.qr], previews: isPreviewed) : .off
    }
}

/// Decides the camera's order, and which of its frames reach the engine.
package struct CameraMachine: Sendable {
    /// True if Rooster is configured with a camera.
    let isPresent: Bool
    private var demand = CameraDemand()
    private var ordered = CameraOrder.off
    /// The camera's latest reports since it was switched on.
    private(set) var lastView = CameraView()
    private var previewCount = 0
    /// The times of tests after a camera came or went.
    private var changeUptimes: [Int] = []

    init(isPresent: Bool) { self.isPresent = isPresent }

    var order: CameraOrder { demand.order }

    /// The camera's view during a search; nil without one.
    var searchView: CameraView? { demand.search == nil ? nil : lastView }

    private mutating func newOrders() -> [DeviceOrder] {
        guard order != ordered else { return [] }
        // Old reports no longer describe the camera.
        if ordered == .off { lastView = CameraView() }
        ordered = order
        return [.camera(order)]
    }

    /// Searches for codes of these symbologies from now on; nil ends the search.
    mutating func search(_ symbologies: Set<String>?) -> [DeviceOrder] {
        if demand.search == nil { lastView.inView = CodesInView() }
        demand.search = symbologies
        return newOrders()
    }

    /// Marks the codes of the last frame as wrong.
    mutating func refuseCodes() { lastView.inView.refuse(lastView.frame?.codes ?? []) }

    // MARK: reports

    mutating func handle(
        _ report: CameraReport, in engine: Engine, at uptime: Int, hash: PayloadHasher
    ) -> Reaction {
        var reaction = Reaction()
        switch report {
        case .opened(let name):
            lastView.name = name
            reaction.lines = [LogLine(.debug, "The camera is on: \(name)")]
        case .frame(let frame): reaction = handle(frame, in: engine, hash)
        case .preview(let picture): if demand.isPreviewed { lastView.preview = picture }
        case .failed(let failure):
            lastView.fail(failure)
            reaction.lines = [LogLine(.warning, "The camera does not work: \(failure)")]
            reaction.inputs = healthInputs(in: engine)
        case .warning(let text):
            lastView.warning = text
            reaction.lines = [LogLine(.warning, text.capitalisedFirst)]
        case .camerasChanged: reaction.startsPreflight = mayTestChange(at: uptime)
        }
        return reaction
    }

    private mutating func handle(_ frame: CameraFrame, in engine: Engine, _ hash: PayloadHasher) -> Reaction {
        guard order != .off else { return Reaction() }
        lastView.show(frame)
        guard demand.search != nil else { return Reaction() }
        var reaction = Reaction(inputs: healthInputs(in: engine))
        let new = lastView.inView.update(frame)
        if let first = new.first {
            reaction.lines = [LogLine(.info, text(first, others: new.count - 1, in: engine, hash))]
        }
        let seen = frame.codes.compactMap { SeenCode($0, hash) }
        reaction.inputs.append(.frame(seen, isDark: frame.isDark, takenUptime: frame.takenUptime))
        return reaction
    }

    /// Returns the text for codes that came into view. It names an enrolled code by its label, and contains
    /// no payload.
    private func text(_ code: ReadCode, others: Int, in engine: Engine, _ hash: PayloadHasher) -> String {
        let seen = SeenCode(code, hash)
        let known = engine.codes.first { $0.kind == .qr && seen?.digests.contains($0.digest) == true }
        let name = known.map { "the code \($0.label.quoted)" } ?? "a \(code.symbology.name) code that is not enrolled"
        return "The camera sees \(name)\(others > 0 ? ", and \(others) more" : "")"
    }

    /// Returns the camera's health if it changes during a search. Without a camera the engine replaces the
    /// code by sums.
    private func healthInputs(in engine: Engine) -> [Input] {
        guard demand.search != nil, let health = lastView.health, engine.health(of: .camera) != health else {
            return []
        }
        return [.health(.camera, health)]
    }

    /// Returns true if a camera that came or went should be tested now. The limit is three tests in ten
    /// minutes, because of loose plugs and of cameras that disappear when opened. Beyond it, the next
    /// preflight tests the camera.
    private mutating func mayTestChange(at uptime: Int) -> Bool {
        guard order == .off || demand.isTested else { return false }
        changeUptimes.removeAll { uptime - $0 > CameraMachine.changesMilliseconds }
        guard changeUptimes.count < CameraMachine.changesMax else { return false }
        changeUptimes.append(uptime)
        return true
    }

    private static let changesMilliseconds = 600_000
    private static let changesMax = 3

    // MARK: previews

    /// The timeout of a preview. A client that shows one repeats its request sooner.
    static let previewMilliseconds = 3000

    /// Counts a request for a preview. Returns the orders that begin one; nil if it is on or there is no
    /// camera.
    mutating func beginPreview() -> [DeviceOrder]? {
        previewCount += 1
        guard isPresent, !demand.isPreviewed else { return nil }
        demand.isPreviewed = true
        return newOrders()
    }

    /// The newest picture of the preview; nil if no preview is on.
    var previewPicture: [UInt8]? { demand.isPreviewed ? lastView.preview : nil }

    /// The number of preview requests. If it stays the same for `previewMilliseconds`, the preview ends.
    var previewRequestCount: Int { previewCount }

    /// Ends the preview. If it showed another health than the engine has, a preflight starts.
    mutating func endPreview(in engine: Engine) -> Reaction {
        demand.isPreviewed = false
        lastView.preview = nil
        let (health, known) = (lastView.health, engine.health(of: .camera))
        return Reaction(
            orders: newOrders(), startsPreflight: known != nil && health.map { $0 != known } ?? false)
    }

    // MARK: the preflight's test

    /// Begins the test, unless a search already uses the camera.
    mutating func beginTest() -> [DeviceOrder] {
        guard isPresent, demand.search == nil else { return [] }
        demand.isTested = true
        return newOrders()
    }

    var isBeingTested: Bool { demand.isTested && lastView.health == nil }

    /// Ends the test. The health is nil if there was no test, or if no code needs a camera and none was ever
    /// present.
    mutating func endTest(in engine: Engine) -> (orders: [DeviceOrder], health: Health?) {
        guard demand.isTested else { return ([], nil) }
        demand.isTested = false
        let health = testedHealth(in: engine)
        return (newOrders(), health)
    }

    private func testedHealth(in engine: Engine) -> Health? {
        let view = lastView
        let failure = view.frame == nil ? view.failure ?? .silent(node: view.name ?? "the camera") : nil
        guard let failure else { return view.health }
        if engine.codes.contains(where: { $0.kind == .qr }) { return Health(.cameraBroken(reason: "\(failure)")) }
        // A camera that was never present is not missed.
        if failure == .none, engine.health(of: .camera) == nil { return nil }
        return Health(.camera("The camera gives no pictures: \(failure)"))
    }
}

extension SeenCode {
    /// Creates a code from the camera's reading; nil if it is blank.
    fileprivate init?(_ code: ReadCode, _ hash: PayloadHasher) {
        guard let payload = CodePayload(code.payload) else { return nil }
        self.init(
            digests: hash(payload, .qr), symbology: code.symbology.rawValue, byteCount: payload.bytes.count)
    }
}
