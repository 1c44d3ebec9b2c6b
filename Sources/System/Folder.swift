// What is in a folder.

import Glibc

/// Why a file or a folder cannot be read.
package struct FileError: Error, Hashable {
    package let errorNumber: Int32

    package init(errorNumber: Int32) { self.errorNumber = errorNumber }
}

package enum Folder {
    /// The names of all that is in there, in order; nothing where there is no such folder.
    package static func names(in path: String) throws(FileError) -> [String] {
        guard let folder = opendir(path) else {
            if errno == ENOENT { return [] }
            throw FileError(errorNumber: errno)
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

    /// The same; nothing where the folder cannot be read.
    package static func readableNames(in path: String) -> [String] {
        do throws(FileError) { return try names(in: path) } catch { return [] }
    }
}
