// Notices that files come, go or are written.

import CLinux
import Glibc
import System

/// Calls its handler on a loop when one of some names in a directory is made, removed, written, or replaced.
package final class DirectoryWatch: Sendable {
    private let watch: Watch

    private static let changes = IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO

    /// Ends with its owner.
    package init(
        _ directory: String, names: Set<String>, on loop: EventLoop, _ handler: @escaping @Sendable () -> Void
    ) throws(SystemCallError) {
        let changes = try OwnedDescriptor(inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK)), of: .watchDirectory)
        let mask = UInt32(DirectoryWatch.changes) | UInt32(IN_ONLYDIR)
        guard inotify_add_watch(changes.number, directory, mask) >= 0 else {
            throw SystemCallError(.watchDirectory, errorNumber: errno)
        }
        watch = try loop.watch(changes.number, for: .readable) { _ in
            if DirectoryWatch.hasChanged(names, by: changes) { handler() }
        }
    }

    private static func hasChanged(_ names: Set<String>, by changes: OwnedDescriptor) -> Bool {
        var hasMatch = false
        // At least one event fits, whatever the name's length.
        withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { buffer in
            while true {
                let count = read(changes.number, buffer.baseAddress, buffer.count)
                guard count > 0 else { return }
                if touches(names, in: UnsafeRawBufferPointer(rebasing: buffer[..<count])) { hasMatch = true }
            }
        }
        return hasMatch
    }

    /// Whether the kernel's events tell of one of the names, or of more than the kernel could remember.
    package static func touches(_ names: Set<String>, in events: UnsafeRawBufferPointer) -> Bool {
        let headBytes = MemoryLayout<inotify_event>.size
        var hasMatch = false
        var rest = events[...]
        while rest.count >= headBytes {
            let head = UnsafeRawBufferPointer(rebasing: rest).loadUnaligned(as: inotify_event.self)
            let name = rest.dropFirst(headBytes).prefix(Int(head.len)).prefix { $0 != 0 }
            let isOverflow = head.mask & UInt32(IN_Q_OVERFLOW) != 0
            if isOverflow || names.contains(String(decoding: name, as: UTF8.self)) { hasMatch = true }
            rest = rest.dropFirst(headBytes + Int(head.len))
        }
        return hasMatch
    }
}
