// The tests of the speaker's request for a restart of the process.

import Foundation
import Oracles
import Synchronization
import System
import Testing

@testable import AlsaSpeaker

@Suite(.timeLimit(.minutes(10))) struct HangDetectorTests {
    /// Returns the seconds of an inaudible ring at which the detector requests a restart.
    private func losses(seconds: Int, stuck: @escaping (Int) -> Set<String>) -> [Int] {
        let second = Mutex(0)
        var watch = HangDetector()
        let threads = (0...seconds).map(stuck)
        watch.stuck = { threads[second.withLock { $0 }] }
        return (0...seconds).filter { now in
            second.withLock { $0 = now }
            return watch.shouldRestart(isToBeHeard: true, isHeard: false, hangs: true, at: Double(now) * 1000)
        }
    }

    @Test func inaudibleRing_afterAMinute_needsARestart() {
        #expect(losses(seconds: 90) { _ in [] } == Array(60...90))
    }

    /// An unkillable thread keeps the journal's lock from a new process, while this process may recover.
    @Test func inaudibleRing_withAnUnkillableThread_needsNoRestart() {
        #expect(losses(seconds: 90) { _ in ["7"] } == [])
        #expect(losses(seconds: 90) { $0 < 70 ? [] : ["7"] } == Array(60...74))
        #expect(losses(seconds: 90) { $0 < 70 ? ["7"] : [] } == Array(70...90))
    }

    /// Writes to a slow disk block a thread at one check, and none or another one at the next.
    @Test func threadBlockedBrieflyByADisk_doesNotPreventTheRestart() {
        #expect(losses(seconds: 90) { $0 % 3 == 0 ? [] : ["7"] } == Array(60...90))
        #expect(losses(seconds: 90) { ["\($0 / 4)", "\($0)"] } == Array(60...90))
    }

    @Test func audibleOrUnwantedRing_restartsTheMinute() {
        var watch = HangDetector()
        watch.stuck = { [] }
        func shouldRestart(_ seconds: Double, isToBeHeard: Bool = true, isHeard: Bool = false, hangs: Bool = true)
            -> Bool
        {
            watch.shouldRestart(isToBeHeard: isToBeHeard, isHeard: isHeard, hangs: hangs, at: seconds * 1000)
        }
        #expect(!shouldRestart(0))
        #expect(!shouldRestart(59, isHeard: true))
        #expect(!shouldRestart(61))
        #expect(!shouldRestart(120))
        #expect(shouldRestart(121))
        #expect(!shouldRestart(122, isToBeHeard: false))
        #expect(!shouldRestart(123))
        // If nothing hangs, a new process would be as inaudible as this one.
        #expect(!shouldRestart(190, hangs: false))
        #expect(shouldRestart(191))
    }

    /// The kernel's state of a thread in uninterruptible sleep.
    @Test func unkillableThread_isFound() async throws {
        let scratch = try Scratch()
        let path = "\(scratch.path)/pipe"
        #expect(mkfifo(path, 0o600) == 0)
        let number = Mutex<String?>(nil)
        let hasEnded = Atomic(false)
        // posix_spawn blocks in the kernel until the child has opened its input, a pipe without a writer.
        try startThread(named: "a) D starter") {
            do {
                let link = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")
                number.withLock { $0 = link.split(separator: "/").last.map(String.init) }
            } catch {
                Issue.record(error)
            }
            var actions = posix_spawn_file_actions_t()
            posix_spawn_file_actions_init(&actions)
            posix_spawn_file_actions_addopen(&actions, 0, path, O_RDONLY, 0)
            var (child, arguments) = (pid_t(), [strdup("true"), nil])
            #expect(posix_spawn(&child, "/bin/true", &actions, nil, &arguments, nil) == 0)
            waitpid(child, nil, 0)
            free(arguments[0])
            posix_spawn_file_actions_destroy(&actions)
            hasEnded.store(true, ordering: .relaxed)
        }
        func isStuck() -> Bool { number.withLock { $0 }.map(OwnThreads.stuck().contains) ?? false }
        try await waitUntil(isStuck)
        close(open(path, O_WRONLY))
        try await waitUntil { !isStuck() && hasEnded.load(ordering: .relaxed) }
    }
}
