// What is in a folder.

import Glibc

package struct FolderError: Error, Hashable {
    package let errorNumber: Int32
}

package enum Folder {
    /// The names of all that is in there, in order; nothing where there is no such folder.
    package static func names(in path: String) throws(FolderError) -> [String] {
        guard let folder = opendir(path) else {
            if errno == ENOENT { return [] }
            throw FolderError(errorNumber: errno)
        }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            names.append(
                withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                    pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                })
        }
        return names.sorted()
    }
}
