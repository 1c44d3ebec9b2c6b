// Where pictures come from: V4L2 today; libcamera could stand beside it.

import CodeReading
import Devices
import Glibc
import System

/// A camera that is open and streams. What it fails with ends it: the program goes, and another opens the camera anew.
protocol FrameSource: AnyObject {
    /// The name by which its owner knows it.
    var name: String { get }
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

extension Uptime {
    /// A frame's time by the clock that stands still while the machine sleeps, by this one. What a driver does not say, or says
    /// of the future, is now. An old one stays old: a frame that has waited while this program stood still is no new one.
    static func milliseconds(ofMonotonic taken: Double?) -> Int {
        let (now, monotonic) = (now, Double(kernelNanoseconds(CLOCK_MONOTONIC)) / 1_000_000)
        guard let taken, taken > 0, taken <= monotonic else { return Int(now) }
        return Int(now - (monotonic - taken))
    }
}

struct CaptureFailure: Error, Hashable {
    var failure: CameraFailure

    init(_ failure: CameraFailure) { self.failure = failure }

    /// What a request of an open node failed with.
    init(_ error: VideoError, node: String) {
        failure =
            switch error.errorNumber {
            case ENODEV, ENOTTY, ENXIO, EIO, ESHUTDOWN, EPROTO: .unplugged(node: node)
            case EBUSY: .busy(node: node)
            case ENOSPC: .noBandwidth(node: node)
            default: .system(doing: error.doing, errorNumber: error.errorNumber)
            }
    }

    init(opening error: VideoError, node: String) {
        switch error.errorNumber {
        case EACCES, EPERM: self.init(.noAccess(node: node, group: CaptureFailure.group(of: node)))
        case ENOENT: self.init(.none)
        default: self.init(error, node: node)
        }
    }

    private static func group(of node: String) -> String? {
        var status = stat()
        guard stat(node, &status) == 0, status.st_gid != 0, let group = getgrgid(status.st_gid) else { return nil }
        return String(cString: group.pointee.gr_name)
    }
}
