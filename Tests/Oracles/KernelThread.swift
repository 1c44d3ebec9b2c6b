// The threads of a process, read from /proc.

import Foundation

package struct KernelThread {
    package let id: String
    package let name: String
    /// The number of voluntary context switches: each is a wait.
    package let waitCount: Int
    /// The scheduling policy, as `sched_getscheduler` returns it.
    package let policy: Int32

    /// Returns the threads of a process. A thread that ends meanwhile is left out, since other tests start
    /// and end threads.
    package static func all(of process: pid_t = getpid()) throws -> [KernelThread] {
        let folder = "/proc/\(process)/task"
        return try FileManager.default.contentsOfDirectory(atPath: folder).compactMap {
            KernelThread(id: $0, in: "\(folder)/\($0)")
        }
    }

    /// Returns the thread of this process with this name.
    package static func named(_ name: String) throws -> KernelThread {
        guard let thread = try all().first(where: { $0.name == name }) else { throw POSIXError(.ESRCH) }
        return thread
    }

    private init?(id: String, in folder: String) {
        // A thread that has ended has no files in `/proc`.
        guard let status = try? String(contentsOfFile: "\(folder)/status", encoding: .utf8),
            let stat = try? String(contentsOfFile: "\(folder)/stat", encoding: .utf8)
        else { return nil }
        func value(_ name: String) -> String {
            let line = status.split(separator: "\n").first { $0.hasPrefix("\(name):") } ?? ""
            return line.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces)
        }
        // The name is in brackets and may have spaces; the policy is field 41.
        let policy = stat.split(separator: ")").last?.split(separator: " ").dropFirst(38).first.flatMap { Int32($0) }
        guard let policy, let waitCount = Int(value("voluntary_ctxt_switches")) else { return nil }
        (self.id, self.waitCount, self.policy) = (id, waitCount, policy)
        name = value("Name")
    }
}
