// Whose a socket is that this user may not use.

import Glibc
import Text

/// Who may talk to the service, as far as its socket shows that.
struct SocketOwner {
    /// The group that may; nothing where none but its user may, or nobody can tell.
    private var group: String?
    private var user: String?

    init(_ path: String) {
        var file = stat()
        guard stat(path, &file) == 0 else {
            // Where the directory shows nothing it is that of the service as it is installed, if there is one.
            if getgrnam(SocketOwner.standardGroup) != nil { group = SocketOwner.standardGroup }
            return
        }
        if file.st_mode & S_IWGRP != 0, let entry = getgrgid(file.st_gid) {
            group = String(cString: entry.pointee.gr_name)
        }
        if let entry = getpwuid(file.st_uid) { user = String(cString: entry.pointee.pw_name) }
    }

    private static let standardGroup = "rooster"

    func advice(for name: String) -> String {
        if let group = group?.inOneLine {
            return "your user is not in the group \(group); 'sudo adduser \(name) \(group)', then log in again"
        }
        guard let user = user?.inOneLine else { return "its socket is in a directory that only another user may open" }
        return "it runs for the user \(user) alone"
    }
}
