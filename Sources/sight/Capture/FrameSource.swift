// Where pictures come from: V4L2 today; libcamera could stand beside it.

import Pictures

/// A camera that is open and streams. What it fails with ends it: the program goes, and another opens the camera anew.
protocol FrameSource: AnyObject {
    /// The name by which its owner knows it.
    var name: String { get }
    /// What it is to the system.
    var node: String { get }
    /// Readable when there is a frame; the one device that is asked for anything.
    var descriptor: Int32 { get }
    /// From one frame to the next, as the camera says.
    var intervalMilliseconds: Int { get }
    /// The newest picture that is whole, if any has come; older ones are let go.
    func newest() throws(CaptureFailure) -> TakenPicture?
    /// Helps the camera to see, by what its pictures have shown.
    func adjust(to view: LensView)
    /// Puts the camera back as it was, and lets go of it.
    func end()
}

struct TakenPicture {
    var picture: Picture
    /// In milliseconds since the machine was started.
    var uptime: Int
}

/// What a picture showed, as far as a camera can do something about it.
struct LensView: Hashable {
    var uptime: Int
    var isDark: Bool
    var hasCode: Bool
}
