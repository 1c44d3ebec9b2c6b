// A service at a bedside whose time passes only as a test says.

import Alarms
import AlsaSpeaker
import CivilTime
import Devices
import Engine
import EventLoop
import Journal
import Mocks
import Oracles
import Service
import SimulatedDevices
import Sound
import Synchronization

/// A service, the devices that it runs on, and what it was seen to do.
package final class ServiceFixture: Sendable {
    /// One input, and what the engine made of it.
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
    /// Where its journal is.
    package let directory: String
    private let stepping: AsyncStream<Step>.Continuation

    /// A service on the journal in a directory, whose disk is as worn as this at first.
    package init(
        directory: String, zones: ZoneCatalogue = ZoneCatalogue(), warnings: [String] = [],
        wear: FaultyDisk.Wear = .none, sounds: (any SoundCheck)? = nil,
        camera: (EventLoop) -> (any Camera)? = { _ in nil }, touch: (inout Bedside) -> Void = { _ in },
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
        var bedside = Bedside(
            clock: clock, timer: TracedTimer(timer: clock, trace: trace),
            speaker: TracedSpeaker(speaker: speaker, trace: trace), sounds: sounds ?? SoundCatalogue(),
            waker: waker, camera: camera(loop))
        touch(&bedside)
        service = Service(
            bedside, recovering: try RecoveredJournal(openingOn: disk), on: loop, zones: zones, warnings: warnings,
            log: log)
    }

    deinit {
        loop.end()
    }

    /// The key of codes that a service makes which has none yet.
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

    /// Waits until a condition holds, which is checked on the service's own executor. Frames and the health of a machine's
    /// parts, for example, are published nowhere.
    package func waitUntil(_ isSo: @Sendable (isolated Service) -> Bool) async {
        while await !service.check(isSo), !Task.isCancelled { await loop.wait(milliseconds: 1) }
    }

    /// Runs a part of a test on the service's own executor. Service and command line wait a few real seconds for some events,
    /// and a busy machine may keep the test's own task waiting for longer.
    package func onLoop(_ part: @escaping @Sendable () async -> Void) async {
        await Task(executorPreference: loop) { await part() }.value
    }

    /// Lets time pass when all facts are durable: if one waited for the disk all that time, the disk would seem to hang.
    package func advance(byMilliseconds milliseconds: Int) async {
        await waitUntil { $0.status.pendingFactCount == 0 }
        clock.advance(byMilliseconds: milliseconds)
    }

    /// Asks for something, and for something else as soon as that is answered; waits for the last answer.
    package func ask(_ command: Command, _ id: String, andThen next: Command? = nil) async -> Reply {
        let commands =
            [(command, RequestHeader(id, by: .commandLine))]
            + (next.map { [($0, RequestHeader("\(id), then", by: .commandLine))] } ?? [])
        return await service.reply(to: commands, noting: trace)
    }
}

/// Runs a service in a directory of its own for as long as a test needs it, and ends it in any case.
///
/// - Parameters:
///   - hardware: what it can ask for.
///   - directory: that of a service before this one.
///   - isStarted: false for a test that starts it by itself.
package func withService(
    hardware: ChallengeHardware = ChallengeHardware(), seed: UInt64 = 1, in directory: Scratch? = nil,
    zones: ZoneCatalogue = ZoneCatalogue(), warnings: [String] = [],
    wear: FaultyDisk.Wear = .none, sounds: (any SoundCheck)? = nil, camera: (EventLoop) -> (any Camera)? = { _ in nil },
    touch: (inout Bedside) -> Void = { _ in }, log: @escaping Log = { _ in }, isStarted: Bool = true,
    isolation: isolated (any Actor)? = #isolation, _ body: (ServiceFixture) async throws -> Void
) async throws {
    let directory = if let directory { directory } else { try Scratch() }
    let fixture = try ServiceFixture(
        directory: directory.path, zones: zones, warnings: warnings, wear: wear,
        sounds: sounds, camera: camera, touch: touch, log: log)
    if isStarted { await fixture.start(hardware, seed: seed) }
    let result: Result<Void, any Error>
    do {
        result = .success(try await body(fixture))
    } catch {
        result = .failure(error)
    }
    await fixture.end()
    // Whose last owner this is removes the directory.
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

    /// One after the other, each as soon as the one before is answered.
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
    /// How things are, read on the service's own executor: a copy of the engine that is read elsewhere looks like a race to
    /// ThreadSanitizer, which does not see that buffers are counted.
    package var status: Status { engine.status() }

    package func health(of part: Part) -> Health? { engine.health(of: part) }
}

extension Reply {
    package var isDone: Bool { if case .done = self { true } else { false } }
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
