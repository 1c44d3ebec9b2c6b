// How what the system answers becomes what its owner is told.

import Devices
import Glibc

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
