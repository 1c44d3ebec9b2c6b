// The tests of the camera in the service: its orders, its frames and its test.

import Alarms
import Devices
import Engine
import Fixtures
import Health
import Mocks
import Oracles
import Sound
import Synchronization
import Testing

@testable import Service

@Suite(.timeLimit(.minutes(10))) struct CameraTests {
    static let hardware = ChallengeHardware(kinds: [.math, .qr, .roulette], symbologies: [.qr, .ean13])
    static let bathroom = ReadCode(.qr, payload: Array(" a sheet behind the door\n".utf8))
    static let milk = ReadCode(.ean13, payload: Array("4006381333931".utf8))

    private final class Lines: Sendable {
        let all = Mutex([String]())
    }

    /// Runs a service with a camera and a working speaker.
    private func withDevices(
        log: @escaping Log = { _ in }, _ body: (MockCamera, ServiceFixture) async throws -> Void
    ) async throws {
        let camera = MockCamera()
        try await withService(hardware: Self.hardware, camera: { _ in camera }, log: log) { fixture in
            var status = SpeakerStatus(routes: [RouteStatus(Route(id: "a", kind: .usb), .good)])
            status.isReady = true
            fixture.speaker.status = status
            try await body(camera, fixture)
        }
    }

    /// Emits a frame that was taken now.
    private func show(_ codes: [ReadCode], to camera: MockCamera, at fixture: ServiceFixture) {
        camera.report(.frame(CameraFrame(takenUptime: fixture.clock.reading.uptimeMilliseconds, codes: codes)))
    }

    /// Enrols the shown codes. Returns the reply.
    private func enrol(_ label: String, _ codes: [ReadCode], _ camera: MockCamera, _ fixture: ServiceFixture) async
        -> Reply
    {
        async let reply = fixture.ask(.scan(.enrol(label: label)), "enrol \(label)")
        for await order in camera.orders where order != .off { break }
        show(codes, to: camera, at: fixture)
        fixture.clock.advance(byMilliseconds: 1000)
        show(codes, to: camera, at: fixture)
        return await reply
    }

    private func alarm(_ codes: String...) -> Alarm {
        var alarm = Alarm.daily("work", "15:01")
        alarm.challenges = [Challenge(.code(labels: codes))]
        return alarm
    }

    /// The log has a code that stays in view once, by its label and never by its payload. Wrong codes count.
    @Test func codeThatComesIntoView_isLoggedOnce_andAWrongOneIsShown() async throws {
        let lines = Lines()
        try await withDevices(
            log: { line in
                if line.text.hasPrefix("The camera sees") { lines.all.withLock { $0.append(line.text) } }
            }
        ) { camera, fixture in
            _ = await enrol("bathroom", [Self.bathroom], camera, fixture)
            for await order in camera.orders where order == .off { break }
            #expect(await fixture.service.cameraView == nil)
            _ = await fixture.ask(.save(alarm("bathroom")), "save")
            await fixture.advance(byMilliseconds: 60_000)
            for await order in fixture.speaker.orders { if case .play = order { break } }
            _ = await fixture.ask(.stop, "stop")
            for await order in camera.orders where order == .read([.qr]) { break }
            for _ in 0..<30 {
                fixture.clock.advance(byMilliseconds: 100)
                show([Self.milk], to: camera, at: fixture)
            }
            camera.report(.frame(CameraFrame(takenUptime: fixture.clock.reading.uptimeMilliseconds, isDark: true)))
            await fixture.waitUntil { $0.cameraView?.frame?.isDark == true }
            #expect(await fixture.service.cameraView?.wrongCount == 1)
            #expect(await fixture.service.cameraView?.isWrongInView == false)
            show([Self.milk], to: camera, at: fixture)
            await fixture.waitUntil { $0.cameraView?.isWrongInView == true }
            fixture.clock.advance(byMilliseconds: 1500)
            show([Self.bathroom], to: camera, at: fixture)
            for await order in fixture.speaker.orders where order == .silent { break }
            let unknown = ["QR", "EAN-13"].map { "a \($0) code that is not enrolled" }
            let expected = unknown + [#"the code "bathroom""#]
            #expect(lines.all.withLock { $0 } == expected.map { "The camera sees \($0)" })
        }
    }

    /// While no scan is active, the service must drop all frames.
    @Test func frames_withoutAScan_areDropped() async throws {
        try await withDevices { camera, fixture in
            for _ in 0..<10 { show([Self.bathroom], to: camera, at: fixture) }
            camera.report(.warning("the end of them"))
            await fixture.waitUntil { $0.machines.camera.lastView.warning != nil }
            let frames = fixture.trace.passages.filter { if case .took(.frame) = $0 { true } else { false } }
            #expect(frames.isEmpty)
        }
    }

    /// Without an enrolled code, a machine without a camera is in order.
    @Test(
        arguments: [
            (true, CameraReport.failed(.none), Health.Grade.broken), (false, .failed(.none), nil),
            (false, .failed(.busy(node: "/dev/video0")), .warning), (true, .frame(CameraFrame(takenUptime: 0)), .ok),
            (false, .frame(CameraFrame(takenUptime: 0)), .ok),
        ] as [(Bool, CameraReport, Health.Grade?)])
    func preflight_testsTheCamera(hasCode: Bool, report: CameraReport, grade: Health.Grade?) async throws {
        try await withDevices { camera, fixture in
            if hasCode {
                _ = await enrol("bathroom", [Self.bathroom], camera, fixture)
                for await order in camera.orders where order == .off { break }
                camera.report(.failed(.none))
            }
            camera.answer(report)
            await fixture.service.triedOut()
            #expect(await fixture.service.health(of: .camera)?.grade == grade)
            #expect(await fixture.service.machines.camera.order == .off)
        }
    }

    /// A removed camera is reported at once. A loose plug must not cause tests all night.
    @Test func cameraRemovedWhileOff_isTested_aFewTimes() async throws {
        try await withDevices { camera, fixture in
            for isThere in [true, false, true] {
                camera.answer(isThere ? .frame(CameraFrame(takenUptime: 0)) : .failed(.none))
                camera.report(.camerasChanged)
                await waitUntilCamera(of: fixture, is: isThere ? .ok : .warning)
            }
            camera.report(.camerasChanged)
            camera.report(.warning("the last word"))
            await fixture.waitUntil { $0.machines.camera.lastView.warning != nil }
            #expect(await fixture.service.machines.camera.order == .off)
        }
    }

    /// Pulling out the camera while another alarm rings must not go unnoticed until the evening.
    @Test func cameraThatIsUnpluggedDuringARing_isBroken_andUsableOnceItIsBack() async throws {
        try await withDevices { camera, fixture in
            _ = await enrol("bathroom", [Self.bathroom], camera, fixture)
            _ = await fixture.ask(.save(.daily("soft", "15:01")), "save")
            await fixture.advance(byMilliseconds: 60_000)
            for await order in fixture.speaker.orders { if case .play = order { break } }
            for isThere in [true, false, true] {
                camera.answer(isThere ? .frame(CameraFrame(takenUptime: 0)) : .failed(.none))
                camera.report(.camerasChanged)
                await waitUntilCamera(of: fixture, is: isThere ? .ok : .broken)
            }
        }
    }

    /// A camera that is removed during a preview must be reported.
    @Test func cameraRemovedDuringAPreview_isTested() async throws {
        try await withDevices { camera, fixture in
            camera.answer(.frame(CameraFrame(takenUptime: 0)))
            camera.report(.camerasChanged)
            await waitUntilCamera(of: fixture, is: .ok)
            camera.answer(.failed(.none))
            _ = await fixture.service.preview()
            await waitUntilCamera(of: fixture, is: .warning)
        }
    }

    /// Waits until the camera was tested, and has this health.
    private func waitUntilCamera(of fixture: ServiceFixture, is grade: Health.Grade) async {
        await fixture.waitUntil { $0.health(of: .camera)?.grade == grade && !$0.machines.preflight.isRunning }
    }

    @Test func preview_isOn_whileRequested() async throws {
        try await withDevices { camera, fixture in
            camera.answer(
                .opened(name: "Desk camera"), .preview([0xFF, 0xD8, 0xFF, 0xD9]),
                .frame(CameraFrame(takenUptime: 0, codes: [Self.bathroom])))
            #expect(await fixture.service.previewPicture == nil)
            #expect(await fixture.service.preview().frame == nil)
            for await order in camera.orders where order == .read([.qr], previews: true) { break }
            await fixture.waitUntil { $0.machines.camera.lastView.frame != nil }
            let view = await fixture.service.machines.camera.lastView
            #expect(view.name == "Desk camera" && view.preview?.count == 4 && view.frame?.codes.count == 1)
            #expect(await fixture.service.previewPicture == view.preview)
            for await order in camera.orders where order == .off { break }
            // A picture that comes after the end of the preview is not kept.
            camera.report(.preview([0xFF, 0xD8, 0xFF, 0xD9]))
            camera.report(.warning("late"))
            await fixture.waitUntil { $0.machines.camera.lastView.warning != nil }
            #expect(await fixture.service.machines.camera.lastView.preview == nil)
            #expect(await fixture.service.previewPicture == nil)
        }
    }
}
