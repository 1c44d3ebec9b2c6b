// What is said of a disk that hangs, and of one that may not be written to.

import Alarms
import Engine
import Foundation
import Household
import Oracles
import Service
import SimulatedDevices
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(10))) struct DiskHealthTests {
    private func disk(_ home: Household) async -> Health? {
        await home.service.status.health.first { $0.part == .disk }?.health
    }

    /// A check that has an end does not wait for the answer to it: that comes when somebody checks again.
    @Test func answerToTheCheckBefore_isNoAnswerToThisOne() async throws {
        try await withService { home in
            home.speaker.status.isReady = true
            await home.trace.waitUntil { await home.service.status.pendingFactCount == 0 }
            home.syncs.hold()
            await home.service.triedOut()
            let hanging = await disk(home)
            #expect(hanging?.grade == .broken && hanging?.words.contains("does not answer") == true)
            home.syncs.letOneThrough()
            await home.service.triedOut()
            #expect(await disk(home) == hanging)
            home.syncs.open()
            await home.service.triedOut()
            #expect(await disk(home) == .ok)
        }
    }

    /// Nobody starts a service anew because its disk was not ready when it came up.
    @Test(arguments: [WornDisk.Wear.readOnly, .full])
    func diskThatTakesNothingAtTheStart_isInOrder_whenItTakesSomething(wear: WornDisk.Wear) async throws {
        try await withService(wear: wear) { home in
            home.speaker.status.isReady = true
            let trouble = await disk(home)
            #expect(trouble?.grade == .broken && trouble?.words.hasPrefix("The disk takes nothing (") == true)
            #expect(await home.service.warnings.isEmpty)
            home.wear.wear = .none
            let reply = await home.ask(.save(.daily("work", "07:00")), "1")
            guard case .done = reply else { return #expect(Bool(false), "it is not saved: \(reply)") }
            await home.trace.waitUntil { await disk(home) != trouble }
            #expect(await disk(home) == .ok)
            await home.service.triedOut()
            #expect(await disk(home) == .ok)
        }
    }

    /// The log tells what holds, and not what was tried.
    @Test func changeThatIsNotKept_isNotLogged() async throws {
        let lines = Mutex<[String]>([])
        try await withService(log: { line in lines.withLock { $0.append(line.words) } }) { home in
            await home.trace.waitUntil { await home.service.status.pendingFactCount == 0 }
            home.wear.wear = .full
            // What the journal has in reserve is used up first.
            var reply = await home.ask(.save(.daily("work", "07:00")), "0")
            for number in 1..<10_000 {
                guard case .done = reply else { break }
                reply = await home.ask(.save(.daily("work\(number)", "07:00")), "\(number)")
            }
            guard case .refused(.notKept) = reply else { return #expect(Bool(false), "\(reply)") }
            let savedCount = await home.service.engine.alarms.count
            #expect(lines.withLock { $0.count { $0.contains(" is saved, and is on") } } == savedCount)
        }
    }

    /// What is open can still be written to: that its folder is gone is said once, and not with each record.
    @Test func folderThatIsGone_isToldOnce() async throws {
        let scratch = try Scratch()
        let folder = "\(scratch.path)/state"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        let toldCount = Mutex(0)
        let home = try Household(
            directory: folder,
            log: { line in if line.words.hasPrefix("Health of the disk: broken") { toldCount.withLock { $0 += 1 } } })
        await home.start()
        home.speaker.status.isReady = true
        try FileManager.default.removeItem(atPath: folder)
        for number in 0..<3 {
            await home.service.triedOut()
            guard case .done = await home.ask(.save(.daily("work\(number)", "07:00")), "\(number)") else {
                return #expect(Bool(false), "it is not saved")
            }
        }
        #expect(toldCount.withLock(\.self) == 1)
        await home.end()
    }

    /// Nothing need have failed before: the evening is when a full disk is to be known.
    @Test func preflight_triesTheDisk() async throws {
        try await withService { home in
            home.speaker.status.isReady = true
            for wear in [WornDisk.Wear.none, .full, .none] {
                home.wear.wear = wear
                await home.service.triedOut()
                let disk = await home.service.status.health.first { $0.part == .disk }?.health
                #expect((disk?.grade == .broken) == (wear == .full), "\(disk as Any)")
            }
        }
    }
}
