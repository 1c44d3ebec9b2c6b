// Whether this process could end.

import Glibc

/// The threads of this process, as the kernel sees them.
enum OwnThreads {
    private static let folder = "/proc/self/task"

    /// The numbers of those that wait in the kernel for what no signal ends: a disk for a moment, or a driver for good. Their
    /// process would outlive whoever kills it, with all that it holds: the next one would get neither the journal's lock nor
    /// that card. (The kernel shows those alike that SIGKILL would end.)
    static func stuck() -> Set<String> {
        do throws(FolderError) {
            return Set(try Folder.names(in: folder).filter { isStuck("\(folder)/\($0)/stat") })
        } catch {
            // Where nobody can tell, what hangs is more likely in here.
            return []
        }
    }

    private static func isStuck(_ path: String) -> Bool {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 128)
        let count = read(descriptor, &bytes, bytes.count)
        // Behind the thread's name, which may have anything in it, comes its state.
        guard count > 0, let end = bytes.prefix(count).lastIndex(of: UInt8(ascii: ")")), end + 2 < count else {
            return false
        }
        return bytes[end + 2] == UInt8(ascii: "D")
    }
}
