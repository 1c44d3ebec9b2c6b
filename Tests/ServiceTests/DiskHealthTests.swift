// The tests of the disk's health: a disk that hangs, and a disk that rejects writes.

import Alarms
import Engine
import Fixtures
import Foundation
import Health
import Oracles
import Service
import SimulatedDevices
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(10))) struct DiskHealthTests {
    private func disk(_ fixture: ServiceFixture) async -> Health? {
        await fixture.service.status.health.first { $0.part == .disk }?.health
    }

    /// A late answer to an earlier check must not make a later check pass.
    @Test func lateAnswerToAnEarlierCheck_isIgnored() async throws {
        try await withService { fixture in
            fixture.speaker.status.isReady = true
            await fixture.waitUntil { $0.status.pendingFactCount == 0 }
            fixture.syncs.hold()
            await fixture.service.triedOut()
            let hanging = await disk(fixture)
            #expect(hanging?.grade == .broken && hanging?.text.contains("does not answer") == true)
            fixture.syncs.letOneThrough()
            await fixture.service.triedOut()
            #expect(await disk(fixture) == hanging)
            fixture.syncs.open()
            await fixture.service.triedOut()
            #expect(await disk(fixture) == .ok)
        }
    }

    /// A disk that was not ready at the start must not require a restart.
    @Test(arguments: [DiskFault.Kind.readOnly, .full])
    func diskNotWritableAtTheStart_isOK_afterAWrite(wear: DiskFault.Kind) async throws {
        try await withService(wear: wear) { fixture in
            fixture.speaker.status.isReady = true
            let trouble = await disk(fixture)
            #expect(trouble?.grade == .broken && trouble?.text.hasPrefix("Nothing can be saved (") == true)
            #expect(await fixture.service.warnings.isEmpty)
            fixture.wear.wear = .none
            #expect(await fixture.ask(.save(.daily("work", "07:00")), "1").isDone)
            await fixture.waitUntil { $0.health(of: .disk) != trouble }
            #expect(await disk(fixture) == .ok)
            await fixture.service.triedOut()
            #expect(await disk(fixture) == .ok)
        }
    }

    /// A disk that works is a warning if it may lose the alarms later.
    @Test func disk_isAWarning_ifItIsNearlyFullOrVolatile() async throws {
        try await withService { fixture in
            fixture.speaker.status.isReady = true
            fixture.wear.freeBytes = 12_345_678
            await fixture.service.triedOut()
            #expect(await disk(fixture)?.grade == .warning)
            #expect(await disk(fixture)?.text == "The disk is nearly full: 12 MB are free. Delete files.")
            (fixture.wear.freeBytes, fixture.wear.isVolatile) = (nil, true)
            await fixture.service.triedOut()
            #expect(await disk(fixture)?.grade == .warning)
            #expect(await disk(fixture)?.text.contains("a restart of this machine may forget them") == true)
            fixture.wear.isVolatile = false
            await fixture.service.triedOut()
            #expect(await disk(fixture) == .ok)
        }
    }

    /// The log must not report a change that was not saved.
    @Test func unsavedChange_isNotLogged() async throws {
        let lines = Mutex<[String]>([])
        try await withService(log: { line in lines.withLock { $0.append(line.text) } }) { fixture in
            await fixture.waitUntil { $0.status.pendingFactCount == 0 }
            fixture.wear.wear = .full
            // The first changes use up the journal's reserved space.
            var reply = await fixture.ask(.save(.daily("work", "07:00")), "0")
            for number in 1..<10_000 {
                guard case .done = reply else { break }
                reply = await fixture.ask(.save(.daily("work\(number)", "07:00")), "\(number)")
            }
            guard case .refused(let refusal) = reply, refusal.code == .notKept else {
                return #expect(Bool(false), "\(reply)")
            }
            let savedCount = await fixture.service.engine.alarms.count
            #expect(lines.withLock { $0.count { $0.contains(" is saved and on") } } == savedCount)
        }
    }

    /// The open file stays writable. The missing directory is reported once, not with each record.
    @Test func missingFolder_isReportedOnce() async throws {
        let scratch = try Scratch()
        let folder = "\(scratch.path)/state"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        let toldCount = Mutex(0)
        let fixture = try ServiceFixture(
            directory: folder,
            log: { line in if line.text.hasPrefix("Health of the disk: broken") { toldCount.withLock { $0 += 1 } } })
        await fixture.start()
        fixture.speaker.status.isReady = true
        try FileManager.default.removeItem(atPath: folder)
        for number in 0..<3 {
            await fixture.service.triedOut()
            #expect(await fixture.ask(.save(.daily("work\(number)", "07:00")), "\(number)").isDone)
        }
        #expect(toldCount.withLock(\.self) == 1)
        await fixture.end()
    }

    /// A disk may be full before any write has failed. The evening's preflight must find this.
    @Test func preflight_triesTheDisk() async throws {
        try await withService { fixture in
            fixture.speaker.status.isReady = true
            for wear in [FaultyDisk.Wear.none, .full, .none] {
                fixture.wear.wear = wear
                await fixture.service.triedOut()
                let disk = await fixture.service.status.health.first { $0.part == .disk }?.health
                #expect((disk?.grade == .broken) == (wear == .full), "\(disk as Any)")
            }
        }
    }
}
