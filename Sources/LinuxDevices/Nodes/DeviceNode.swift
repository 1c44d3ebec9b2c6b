// The nodes of devices below /dev.

import Glibc

enum DeviceNode {
    /// The group that may open a node, unless that is only root's; for whoever may not.
    static func group(of node: String) -> String? {
        var status = stat()
        guard stat(node, &status) == 0, status.st_gid != 0, let group = getgrgid(status.st_gid) else { return nil }
        return String(cString: group.pointee.gr_name)
    }
}
