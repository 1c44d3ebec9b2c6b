// The tests of a camera program that fails during a ring: the ring goes on. The delays are printed.

import Alarms
import Engine
import EventLoop
import Fixtures
import Oracles
import Testing

@testable import LinuxDevices
@testable import Service

@Suite(.timeLimit(.minutes(5))) struct MisbehavingCameraTests {
    private static let hasty = {
        var timeouts = HelperTimeouts()
        (timeouts.silenceMilliseconds, timeouts.orderMilliseconds, timeouts.framesMilliseconds) = (200, 100, 400)
        timeouts.backoffMilliseconds = [20, 20, 50]
        return timeouts
    }()

    /// Returns the real camera driver, on the service's loop.
    private func camera(_ script: String, _ nodes: String, on loop: EventLoop) -> LinuxCamera {
        var settings = CameraSettings(name: script, program: Program.built("scriptedcamera"))
        (settings.nodes, settings.timeouts) = (nodes, Self.hasty)
        return LinuxCamera(settings, on: loop)
    }

    /// Returns the time from the due moment to the order to play, while the camera is on. Then the alarm
    /// asks for a code, and the ring must go on despite the camera.
    private func ring(_ script: String?) async throws -> Duration {
        let (scratch, nodes) = (try Scratch(), try Scratch())
        _ = try nodes.file("video0")
        let fixture = try ServiceFixture(
            directory: scratch.path, camera: { loop in script.map { camera($0, nodes.path, on: loop) } })
        await fixture.start(CameraTests.hardware)
        _ = await fixture.ask(
            .enrol(EnrolledCode(label: "bathroom", kind: .qr, digest: CodeDigest("c0ffee"))), "enrol")
        var alarm = Alarm.daily("work", "15:01")
        alarm.challenges = [Challenge(.code(labels: ["bathroom"]))]
        _ = await fixture.ask(.save(alarm), "save")
        if script != nil { try await waitUntil { await fixture.service.preview().failure != nil } }
        let clock = ContinuousClock()
        let due = clock.now
        await fixture.advance(byMilliseconds: 60_000)
        for await order in fixture.speaker.orders { if case .play = order { break } }
        let delay = due.duration(to: clock.now)
        _ = await fixture.ask(.stop, "stop")
        // The program fails, is restarted and fails again while time passes.
        for _ in 0..<3 {
            if script != nil { try await waitUntil { await fixture.service.machines.camera.lastView.failure != nil } }
            await fixture.advance(byMilliseconds: 10_000)
        }
        #expect(await fixture.service.status.sessions.map(\.isHeard) == [true])
        await fixture.end()
        return delay
    }

    @Test(arguments: ["crash", "leave", "stop", "mute", "flood", "rubbish", "long", "unasked", "closed", "early"])
    func ring_withAMisbehavingCameraHelper_startsAndContinues(script: String) async throws {
        let (without, with) = (try await ring(nil), try await ring(script))
        print("due → order to play, without a camera and with one that does \"\(script)\": \(without), \(with)")
    }
}
