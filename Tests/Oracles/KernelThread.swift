// The threads of a process, as the kernel tells of them.

import Foundation

package struct KernelThread {
    package let id: String
    package let name: String
    /// How often it has waited for something.
    package let waitCount: Int
    /// As `sched_getscheduler` has it.
    package let policy: Int32

    /// The threads of a process. One that ends meanwhile is left out: in the tests' own process, others come and go.
    package static func all(of process: pid_t = getpid()) throws -> [KernelThread] {
        let folder = "/proc/\(process)/task"
        return try FileManager.default.contentsOfDirectory(atPath: folder).compactMap {
            KernelThread(id: $0, in: "\(folder)/\($0)")
        }
    }

    /// The thread of this process that has this name.
    package static func named(_ name: String) throws -> KernelThread {
        guard let thread = try all().first(where: { $0.name == name }) else { throw POSIXError(.ESRCH) }
        return thread
    }

    private init?(id: String, in folder: String) {
        // A thread that has ended meanwhile has no files any more.
        guard let status = try? String(contentsOfFile: "\(folder)/status", encoding: .utf8),
            let stat = try? String(contentsOfFile: "\(folder)/stat", encoding: .utf8)
        else { return nil }
        func value(_ name: String) -> String {
            let line = status.split(separator: "\n").first { $0.hasPrefix("\(name):") } ?? ""
            return line.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces)
        }
        // The name is in brackets and may have spaces; the policy is the 41st of all.
        let policy = stat.split(separator: ")").last?.split(separator: " ").dropFirst(38).first.flatMap { Int32($0) }
        guard let policy, let waitCount = Int(value("voluntary_ctxt_switches")) else { return nil }
        (self.id, self.waitCount, self.policy) = (id, waitCount, policy)
        name = value("Name")
    }
}
