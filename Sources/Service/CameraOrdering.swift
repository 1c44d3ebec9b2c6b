// What the camera is to do, as a function of what is wanted of it.

import Devices
import Engine

/// All that anybody wants of the camera: a ring or an enrolment comes before a preview, and that before trying it out.
struct CameraDemand: Hashable, Sendable {
    /// What the engine looks for, by the names of symbologies; nil for nothing.
    var search: Set<String>?
    /// Whether somebody wants to see what it sees.
    var isPreviewed = false
    /// Whether it is tried out.
    var isTested = false

    /// What it is told. A symbology that this camera does not know is none that it could read.
    var order: CameraOrder {
        if let search { return .read(Set(search.compactMap(Symbology.init)), previews: isPreviewed) }
        return isPreviewed || isTested ? .read([.qr], previews: isPreviewed) : .off
    }
}

/// What the camera has shown and told since it was ordered on.
public struct CameraView: Hashable, Sendable {
    /// Its name; nil until it is open.
    public internal(set) var name: String?
    /// The last frame.
    public internal(set) var frame: CameraFrame?
    /// The last small picture.
    public internal(set) var preview: [UInt8]?
    /// Why it gives no frames; nil where it does, or is still being opened.
    public internal(set) var failure: CameraFailure?
    /// What is not as it could be.
    public internal(set) var warning: String?
    /// The codes that have come into view since one is looked for.
    var inView = CodesInView()

    init() {}

    /// How often a code came into view that is not the one that is asked for.
    public var wrongCount: Int { inView.wrongCount }

    /// Whether such a code is in view.
    public var isWrongInView: Bool { inView.isWrong(frame?.codes ?? []) }

    /// How it is by that; nil where nothing is known yet.
    var health: Health? {
        if let failure { return Health(.cameraBroken(reason: "\(failure)")) }
        guard frame != nil else { return nil }
        return warning.map { Health(.camera($0)) } ?? .ok
    }
}
