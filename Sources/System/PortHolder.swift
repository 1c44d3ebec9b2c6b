// Finds the program that listens on a TCP port.

import Glibc

package enum PortHolder {
    /// Returns the program that listens on the port, such as "nginx (process 812)"; "another program" if this user
    /// may not see which; nil if none listens. `proc` is the folder of the kernel's process information.
    package static func description(port: UInt16, proc: String = "/proc") -> String? {
        let sockets = Set(["tcp", "tcp6"].flatMap { listeners(on: port, in: text("\(proc)/net/\($0)")) })
        guard !sockets.isEmpty else { return nil }
        for process in Folder.readableNames(in: proc) where process.allSatisfy(\.isWholeNumber) {
            let folder = "\(proc)/\(process)/fd"
            let holds = Folder.readableNames(in: folder).contains {
                target(of: "\(folder)/\($0)").map(sockets.contains) == true
            }
            guard holds else { continue }
            return "\(SystemFile(path: "\(proc)/\(process)/comm").text ?? "a program") (process \(process))"
        }
        return "another program"
    }

    /// Returns the names of the listening sockets in a table such as /proc/net/tcp.
    static func listeners(on port: UInt16, in table: String) -> [String] {
        let hexadecimal = String(port, radix: 16, uppercase: true)
        let suffix = ":" + String(repeating: "0", count: 4 - hexadecimal.count) + hexadecimal
        return table.split(separator: "\n").compactMap { line in
            let columns = line.split(separator: " ")
            guard columns.count > 9, columns[1].hasSuffix(suffix), columns[3] == PortHolder.listening else {
                return nil
            }
            return "socket:[\(columns[9])]"
        }
    }

    /// The kernel's number of the state in which a socket listens.
    private static let listening = "0A"

    private static func target(of link: String) -> String? {
        var bytes = [CChar](repeating: 0, count: 64)
        let count = readlink(link, &bytes, bytes.count)
        guard count > 0 else { return nil }
        return String(decoding: bytes.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Returns the content of a file; empty if it cannot be read.
    private static func text(_ path: String) -> String {
        guard let file = fopen(path, "re") else { return "" }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = fread(&chunk, 1, chunk.count, file), count > 0 { bytes += chunk.prefix(count) }
        return String(decoding: bytes, as: UTF8.self)
    }
}
