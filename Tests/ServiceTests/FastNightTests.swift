// The test of a simulated night: it takes seconds, with a disk at its real speed.

import Alarms
import AlsaSpeaker
import Engine
import EventLoop
import Fixtures
import Glibc
import Journal
import Mocks
import Oracles
import Service
import SimulatedDevices
import Testing

@Suite(.timeLimit(.minutes(10))) struct FastNightTests {
    private func ask(_ command: Command, of service: Service) async -> Reply {
        await withCheckedContinuation { continuation in
            Task {
                await service.ask(command, RequestHeader("\(command)", by: .commandLine)) { reply, _ in
                    continuation.resume(returning: reply)
                }
            }
        }
    }

    /// At that speed a write seems to take hours, but the service waits at most ten seconds for the disk.
    @Test func slowDisk_inAFastNight_refusesNoCommand() async throws {
        let scratch = try Scratch()
        let loop = try EventLoop()
        try loop.start(named: "night")
        defer { loop.end() }
        let clock = SimulatedClock(wallMilliseconds: ServiceFixture.begin * 1000, speed: 20_000)
        let speaker = MockSpeaker()
        let disk = HookedDisk(try LinuxDisk(directory: scratch.path))
        disk.willSync = { usleep(300_000) }
        let service = Service(
            Bedside(
                clock: clock, timer: clock, speaker: speaker, sounds: SoundCatalogue(), timeScale: clock,
                isSimulated: true),
            recovering: try RecoveredJournal(openingOn: disk), on: loop)
        await service.start(seed: 1)
        var alarm = Alarm.daily("work", "07:00")
        alarm.ring.ringSeconds = 43_200
        #expect(await ask(.save(alarm), of: service).isDone)
        for await order in speaker.orders {
            if case .play = order { break }
        }
        // At full speed the ring and its snooze would pass before the commands arrive.
        clock.speed = 60
        for command in [Command.snooze(seconds: nil), .stop] { #expect(await ask(command, of: service).isDone) }
        #expect(await service.engine.history.last?.ending == .dismissed)
        await service.end()
    }
}
