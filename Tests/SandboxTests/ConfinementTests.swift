// The tests of the actions that a confined program can no longer do: the captive tries each.

import Foundation
import Oracles
import Testing

@Suite struct ConfinementTests {
    /// Returns the captive's exit status, or the negated number of the signal that ended it.
    private func attempt(_ what: String) throws -> Int32 {
        let captive = try Dialogue(Program.built("captive"), [what])
        _ = captive.hearAll()
        return captive.exitStatus()
    }

    @Test(arguments: ["nothing", "compute"]) func neededSystemCalls_areAllowed(what: String) throws {
        #expect(try attempt(what) == 0)
    }

    static let refused: [(String, Int32)] = [
        ("open", EPERM), ("create", EPERM), ("folder", EPERM), ("unlink", EPERM), ("device", ENOTTY), ("other", EPERM),
        ("execute", EPERM), ("map-execute", EPERM), ("map-file", EPERM), ("memory", ENOMEM), ("priority", EPERM),
    ]

    @Test(arguments: refused) func unneededSystemCalls_areRefused(what: String, number: Int32) throws {
        #expect(try attempt(what) == number)
    }

    @Test(arguments: ["socket", "exec", "spawn", "thread", "kill", "duplicate"])
    func hostileSystemCalls_endTheProcess(what: String) throws {
        #expect(try attempt(what) == -SIGSYS)
    }

    @Test(.enabled(if: geteuid() == 0, "only root may put itself before others"), arguments: [(-5, 0), (5, 5)])
    func privileges_ofAService_areGivenUp(nice: Int, left: Int32) throws {
        let captive = try Program("/usr/bin/nice", ["-n", "\(nice)", Program.built("captive"), "step-back"])
        #expect(captive.output == "500\n\n")
        #expect(captive.exitStatus == left)
    }

    @Test func crash_endsTheProcessWithItsSignal() throws {
        #expect(try attempt("crash") == -SIGABRT)
    }
}
