// Lists the contents of a directory.

import Glibc

/// The reason why a file or a directory cannot be read.
package struct FileError: Error, Hashable {
    package let errorNumber: Int32

    package init(errorNumber: Int32) { self.errorNumber = errorNumber }
}

package enum Folder {
    /// Returns all names in the directory, sorted. A missing directory has none.
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

    /// Returns the same, or nothing if the directory cannot be read.
    package static func readableNames(in path: String) -> [String] {
        do throws(FileError) { return try names(in: path) } catch { return [] }
    }
}
