// The camera's order, as a function of all demands on it.

import Devices
import Engine

/// All demands on the camera: a ring or a scan comes before a preview, and a preview before the preflight's test.
struct CameraDemand: Hashable, Sendable {
    /// The symbologies that the engine wants read, by name; nil for none.
    var search: Set<String>?
    /// Whether a client shows a preview.
    var isPreviewed = false
    /// Whether the preflight tests it.
    var isTested = false

    /// The order. Symbologies that this camera does not know are left out.
    var order: CameraOrder {
        if let search { return .read(Set(search.compactMap(Symbology.init)), previews: isPreviewed) }
        return isPreviewed || isTested ? .read([.qr], previews: isPreviewed) : .off
    }
}

/// What the camera has reported since it was switched on.
public struct CameraView: Hashable, Sendable {
    /// Its name; nil until it is open.
    public internal(set) var name: String?
    /// The last frame.
    public internal(set) var frame: CameraFrame?
    /// The last preview picture.
    public internal(set) var preview: [UInt8]?
    /// Why it gives no frames; nil while it does, or is being opened.
    public internal(set) var failure: CameraFailure?
    /// A limitation that the camera has reported.
    public internal(set) var warning: String?
    /// The codes that have come into view since the search began.
    var inView = CodesInView()

    init() {}

    /// How often a wrong code came into view.
    public var wrongCount: Int { inView.wrongCount }

    /// Whether a wrong code is in view.
    public var isWrongInView: Bool { inView.isWrong(frame?.codes ?? []) }

    /// The camera's health; nil while it is not known.
    var health: Health? {
        if let failure { return Health(.cameraBroken(reason: "\(failure)")) }
        guard frame != nil else { return nil }
        return warning.map { Health(.camera($0)) } ?? .ok
    }
}
