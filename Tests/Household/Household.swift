// A service at a bedside whose time passes only as a test says.

import Alarms
import CivilTime
import Devices
import Engine
import Journal
import LinuxDevices
import Service
import SimulatedDevices
import Synchronization

/// A service, the devices that it runs on, and what it was seen to do.
package final class Household: Sendable {
    /// One input, and what the engine made of it.
    package struct Step: Sendable {
        package var input: Input
        package var moment: Moment
        package var effects: [Effect]
    }

    package static let begin = Instant("2024-03-09T20:00:00Z", rounding: .down)?.secondsSince1970 ?? 0

    package let clock = ManualClock(
        ClockReading(wallMilliseconds: Household.begin * 1000, uptimeMilliseconds: 50_000), zoneName: "America/New_York"
    )
    package let speaker = MockSpeaker()
    package let waker = MockWaker()
    package let wear = WornDisk.Switch()
    package let service: Service
    package let steps: AsyncStream<Step>
    package let loop: EventLoop
    private let stepping: AsyncStream<Step>.Continuation

    /// A service on the journal in a directory.
    package init(
        directory: String, zones: ZoneCatalogue = ZoneCatalogue(), warnings: [String] = []
    ) throws {
        loop = try EventLoop()
        try loop.start(named: "household")
        let (steps, stepping) = AsyncStream.makeStream(of: Step.self)
        (self.steps, self.stepping) = (steps, stepping)
        service = Service(
            Bedside(clock: clock, timer: clock, speaker: speaker, sounds: SoundCatalogue(), waker: waker),
            recalling: try Recollection(openingOn: WornDisk(try LinuxDisk(directory: directory), wear)), on: loop,
            zones: zones, warnings: warnings, witness: { stepping.yield(Step(input: $0, moment: $1, effects: $2)) })
    }

    deinit {
        loop.end()
    }

    package func start(seed: UInt64 = 1) async { await service.start(seed: seed) }

    package func end() async {
        await service.end()
        stepping.finish()
    }

    /// Asks for something, and waits for the answer.
    package func ask(_ command: Command, _ id: String) async -> Reply {
        await service.reply(to: command, Request(id, by: .commandLine))
    }
}

extension Service {
    package func triedOut() async {
        await withCheckedContinuation { continuation in tryOut { _ in continuation.resume() } }
    }

    package func reply(to command: Command, _ request: Request) async -> Reply {
        await withCheckedContinuation { continuation in
            ask(command, request) { reply, _ in continuation.resume(returning: reply) }
        }
    }
}

extension Alarm {
    /// An alarm every day at a time, with so many sums.
    package static func daily(_ id: String, _ time: String, sums: Int = 0) -> Alarm {
        var alarm = Alarm(id: id)
        alarm.time = ClockTime(time)
        alarm.recurrence = Recurrence(.daily)
        if sums > 0 { alarm.challenges = [Challenge(.sums(level: 1, count: sums, limitSeconds: 60))] }
        return alarm
    }
}
