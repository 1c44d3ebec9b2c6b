// The reasons why a camera delivers no frames.

import Glibc

package enum CameraFailure: Error, Hashable, Sendable {
    /// No camera is plugged in.
    case none
    /// The configured camera is not plugged in, though others may be.
    case missing(wanted: String)
    /// The node is a Raspberry Pi camera module: it gives raw sensor data, which needs libcamera.
    case needsLibcamera(node: String)
    /// The system refuses to open the node; members of `group` may.
    case noAccess(node: String, group: String?)
    /// Another program streams from the node.
    case busy(node: String)
    /// The USB bus has no bandwidth left for the camera's smallest format.
    case noBandwidth(node: String)
    case unplugged(node: String)
    /// The camera is open, but no frame arrives.
    case silent(node: String)
    /// The camera offers no format that Rooster can read.
    case noFormat(node: String)
    /// The helper process could not be started, has ended or does not answer. `reason` says which.
    case reader(reason: String)
    /// Another system call failed with this error number.
    case system(doing: String, errorNumber: Int32)
}

extension CameraFailure: CustomStringConvertible {
    package var description: String {
        switch self {
        case .none: "no camera is plugged in"
        case .missing(let wanted): "the camera \"\(wanted)\" is not plugged in"
        case .needsLibcamera(let node):
            "\(node) is a Raspberry Pi camera module, which Rooster cannot read yet (plug in a USB camera)"
        case .noAccess(let node, let group):
            "no permission to open \(node) (it is \(reservation(for: group)))"
        case .busy(let node): "\(node) is in use by another program"
        case .noBandwidth(let node): "\(node) gets no bandwidth on its USB bus (plug it into another socket)"
        case .unplugged(let node): "\(node) was unplugged"
        case .silent(let node): "\(node) sends no pictures"
        case .noFormat(let node): "\(node) has no picture format that Rooster can read"
        case .reader(let reason): "the camera's helper program \(reason)"
        case .system(let doing, let number): "\(doing): \(String(cString: strerror(number)))"
        }
    }
}
