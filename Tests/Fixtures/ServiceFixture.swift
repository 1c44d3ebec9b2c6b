// The service fixture: a service on mock devices, whose time only passes when a test advances it.

import Alarms
import AlsaSpeaker
import CivilTime
import Devices
import Engine
import EventLoop
import Glibc
import Health
import Journal
import Mocks
import Oracles
import Service
import SimulatedDevices
import Sound
import Synchronization

/// A service with its mock devices, and a record of its inputs and outputs.
package final class ServiceFixture: Sendable {
    /// One input of the engine, with its effects.
    package struct Step: Sendable {
        package var input: Input
        package var moment: Moment
        package var effects: [Effect]
    }

    package static let begin = Instant("2024-03-09T20:00:00Z", rounding: .down)?.secondsSince1970 ?? 0

    package let clock = ManualClock(
        Moment(wallMilliseconds: ServiceFixture.begin * 1000, uptimeMilliseconds: 50_000),
        zoneName: "America/New_York"
    )
    package let speaker = MockSpeaker()
    package let waker = MockWaker()
    package let wear = FaultyDisk.Switch()
    package let syncs = SyncGate()
    package let service: Service
    package let steps: AsyncStream<Step>
    package let trace = Trace()
    package let loop: EventLoop
    /// The journal's directory.
    package let directory: String
    private let stepping: AsyncStream<Step>.Continuation

    /// Makes a service on the journal in a directory, with that initial wear of the disk.
    package init(
        directory: String, zones: ZoneCatalogue = ZoneCatalogue(), warnings: [String] = [],
        wear: FaultyDisk.Wear = .none, sounds: (any SoundLibrary)? = nil,
        camera: (EventLoop) -> (any Camera)? = { _ in nil }, addPeripherals: (inout Bedside) -> Void = { _ in },
        log: @escaping Log = { _ in }
    ) throws {
        self.directory = directory
        self.wear.wear = wear
        loop = try EventLoop()
        try loop.start(named: "fixture")
        let (steps, stepping) = AsyncStream.makeStream(of: Step.self)
        (self.steps, self.stepping) = (steps, stepping)
        let disk = HookedDisk(FaultyDisk(try LinuxDisk(directory: directory), self.wear))
        disk.willWrite = { [trace] in trace.note(.written) }
        disk.willSync = { [syncs] in syncs.pass() }
        disk.didSync = { [trace] in trace.note(.synced) }
        let ownSounds = "\(directory)/sounds"
        mkdir(ownSounds, 0o700)
        var bedside = Bedside(
            clock: clock, timer: TracedTimer(timer: clock, trace: trace),
            speaker: TracedSpeaker(speaker: speaker, trace: trace),
            sounds: sounds ?? SoundCatalogue(directory: ownSounds),
            waker: waker, camera: camera(loop))
        addPeripherals(&bedside)
        service = Service(
            bedside, recovering: try RecoveredJournal(openingOn: disk), on: loop, zones: zones, warnings: warnings,
            log: log)
    }

    deinit {
        loop.end()
    }

    /// The key for a service that has no key of codes.
    package static let codeKey = CodeKey(0..<UInt8(CodeKey.byteCount))

    package func start(_ hardware: ChallengeHardware = ChallengeHardware(), seed: UInt64 = 1) async {
        await service.subscribe(trace)
        await service.subscribe(StepRecorder(stepping: stepping))
        await service.start(hardware, newCodeKey: ServiceFixture.codeKey, seed: seed)
    }

    package func end() async {
        await service.end()
        stepping.finish()
    }

    /// Waits until a condition holds. It is checked on the service's executor, because some facts, such as
    /// frames and health, are not published.
    package func waitUntil(_ isSo: @Sendable (isolated Service) -> Bool) async {
        while await !service.check(isSo), !Task.isCancelled { await loop.wait(milliseconds: 1) }
    }

    /// Runs a part of a test on the service's executor. Some real timeouts last a few seconds, and a busy
    /// machine may delay the test's own task for longer.
    package func onLoop(_ part: @escaping @Sendable () async -> Void) async {
        await Task(executorPreference: loop) { await part() }.value
    }

    /// Advances the clock once all facts are durable. Otherwise the disk would seem to hang.
    package func advance(byMilliseconds milliseconds: Int) async {
        await waitUntil { $0.status.pendingFactCount == 0 }
        clock.advance(byMilliseconds: milliseconds)
    }

    /// Sends a command, and a second one in the first one's reply handler. Returns the last reply.
    package func ask(_ command: Command, _ id: String, andThen next: Command? = nil) async -> Reply {
        let commands =
            [(command, RequestHeader(id, by: .commandLine))]
            + (next.map { [($0, RequestHeader("\(id), then", by: .commandLine))] } ?? [])
        return await service.reply(to: commands, noting: trace)
    }
}

/// Runs a service during the body, and ends it even if the body throws. By default it has its own directory.
///
/// - Parameters:
///   - hardware: the hardware for challenges.
///   - directory: the directory of an earlier service, or nil for a new one.
///   - isStarted: false if the test starts the service itself.
package func withService(
    hardware: ChallengeHardware = ChallengeHardware(), seed: UInt64 = 1, in directory: Scratch? = nil,
    zones: ZoneCatalogue = ZoneCatalogue(), warnings: [String] = [],
    wear: FaultyDisk.Wear = .none, sounds: (any SoundLibrary)? = nil,
    camera: (EventLoop) -> (any Camera)? = { _ in nil },
    addPeripherals: (inout Bedside) -> Void = { _ in }, log: @escaping Log = { _ in }, isStarted: Bool = true,
    isolation: isolated (any Actor)? = #isolation, _ body: (ServiceFixture) async throws -> Void
) async throws {
    let directory = if let directory { directory } else { try Scratch() }
    let fixture = try ServiceFixture(
        directory: directory.path, zones: zones, warnings: warnings, wear: wear,
        sounds: sounds, camera: camera, addPeripherals: addPeripherals, log: log)
    if isStarted { await fixture.start(hardware, seed: seed) }
    let result: Result<Void, any Error>
    do {
        result = .success(try await body(fixture))
    } catch {
        result = .failure(error)
    }
    await fixture.end()
    // The directory is removed with its last owner, so it must outlive the fixture.
    withExtendedLifetime(directory) {}
    try result.get()
}

/// Records the inputs of a service with their effects.
private struct StepRecorder: Subscriber {
    let stepping: AsyncStream<ServiceFixture.Step>.Continuation

    func handle(_ event: ServiceEvent, from service: isolated Service) {}

    func observe(_ input: Input, at moment: Moment, effects: [Effect]) {
        stepping.yield(ServiceFixture.Step(input: input, moment: moment, effects: effects))
    }
}

extension Service {
    package func triedOut() async {
        await withCheckedContinuation { continuation in runPreflight { _ in continuation.resume() } }
    }

    fileprivate func check(_ isSo: (isolated Service) -> Bool) -> Bool { isSo(self) }

    fileprivate func reply(to commands: [(Command, RequestHeader)], noting trace: Trace) async -> Reply {
        await withCheckedContinuation { continuation in
            ask(commands[...], noting: trace) { reply, _ in continuation.resume(returning: reply) }
        }
    }

    /// Sends the commands one by one, each in the reply handler of the one before.
    private func ask(
        _ commands: ArraySlice<(Command, RequestHeader)>, noting trace: Trace, answer: @escaping ReplyHandler
    ) {
        guard let (command, request) = commands.first else { return }
        ask(command, request) { reply, service in
            trace.note(.replied(reply, to: request))
            if commands.count > 1 {
                service.ask(commands.dropFirst(), noting: trace, answer: answer)
            } else {
                answer(reply, service)
            }
        }
    }
}

extension Service {
    /// The status. ThreadSanitizer would report a race if the engine were copied off its executor, because
    /// it does not see the reference counts of buffers.
    package var status: Status { engine.status() }

    package func health(of part: Part) -> Health? { engine.health(of: part) }
}

extension Reply {
    package var isDone: Bool { if case .done = self { true } else { false } }
}

extension Alarm {
    /// Returns an alarm for every day at that time, with that number of sums.
    package static func daily(_ id: String, _ time: String, sums: Int = 0) -> Alarm {
        var alarm = Alarm(id: id)
        alarm.time = ClockTime(time)
        alarm.recurrence = Recurrence(.daily)
        if sums > 0 { alarm.challenges = [Challenge(.sums(level: 1, count: sums, limitSeconds: 60))] }
        return alarm
    }
}
