// The watch on a directory's files, by inotify.

import CLinux
import Glibc
import System

/// Calls its handler on a loop when a file with one of the names is created, removed, written or replaced.
package final class DirectoryWatch: Sendable {
    private let watch: Watch

    private static let changes = IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO

    /// Starts a watch. It ends when it is released.
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
        // The buffer holds at least one event with the longest name.
        withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { buffer in
            while true {
                let count = read(changes.number, buffer.baseAddress, buffer.count)
                guard count > 0 else { return }
                if touches(names, in: UnsafeRawBufferPointer(rebasing: buffer[..<count])) { hasMatch = true }
            }
        }
        return hasMatch
    }

    /// Returns true if an event concerns one of the names, or if the kernel's queue has overflowed.
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
