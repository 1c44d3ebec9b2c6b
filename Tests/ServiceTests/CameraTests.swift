// The camera as the service has it: what it is ordered, what becomes of its frames, and how it is tried out.

import Alarms
import Devices
import Engine
import Household
import Mocks
import Oracles
import Sound
import Synchronization
import Testing

@testable import Service

@Suite(.timeLimit(.minutes(10))) struct CameraTests {
    static let hands = ChallengeHardware(kinds: [.math, .qr, .roulette], symbologies: [.qr, .ean13])
    static let bathroom = ReadCode(.qr, payload: Array(" a sheet behind the door\n".utf8))
    static let milk = ReadCode(.ean13, payload: Array("4006381333931".utf8))

    private final class Lines: Sendable {
        let all = Mutex([String]())
    }

    /// Runs a service with a camera, and with a speaker that is in order.
    private func withHousehold(
        log: @escaping Log = { _ in }, _ body: (MockCamera, Household) async throws -> Void
    ) async throws {
        let camera = MockCamera()
        try await withService(hardware: Self.hands, camera: { _ in camera }, log: log) { home in
            var status = SpeakerStatus(routes: [RouteStatus(Route(id: "a", kind: .usb), .good)])
            status.isReady = true
            home.speaker.status = status
            try await body(camera, home)
        }
    }

    /// The camera gives a frame that was taken now.
    private func show(_ codes: [ReadCode], to camera: MockCamera, at home: Household) {
        camera.report(.frame(CameraFrame(takenUptime: home.clock.reading.uptimeMilliseconds, codes: codes)))
    }

    /// Enrols what is shown; answers what that came to.
    private func enrol(_ label: String, _ codes: [ReadCode], _ camera: MockCamera, _ home: Household) async -> Reply {
        async let reply = home.ask(.scan(.enrol(label: label)), "enrol \(label)")
        for await order in camera.orders where order != .off { break }
        show(codes, to: camera, at: home)
        home.clock.advance(byMilliseconds: 1000)
        show(codes, to: camera, at: home)
        return await reply
    }

    private func alarm(_ codes: String...) -> Alarm {
        var alarm = Alarm.daily("work", "15:01")
        alarm.challenges = [Challenge(.code(labels: codes))]
        return alarm
    }

    /// What is held up for a while is told of once, by its name and never by what it says; and a wrong code is counted.
    @Test func codeThatComesIntoView_isALineInTheLog_andAWrongOneIsShown() async throws {
        let lines = Lines()
        try await withHousehold(
            log: { line in
                if line.words.hasPrefix("Before the camera") { lines.all.withLock { $0.append(line.words) } }
            }
        ) { camera, home in
            _ = await enrol("bathroom", [Self.bathroom], camera, home)
            for await order in camera.orders where order == .off { break }
            #expect(await home.service.sight == nil)
            _ = await home.ask(.save(alarm("bathroom")), "save")
            home.clock.advance(byMilliseconds: 60_000)
            for await order in home.speaker.orders { if case .play = order { break } }
            _ = await home.ask(.stop, "stop")
            for await order in camera.orders where order == .read([.qr]) { break }
            for _ in 0..<30 {
                home.clock.advance(byMilliseconds: 100)
                show([Self.milk], to: camera, at: home)
            }
            camera.report(.frame(CameraFrame(takenUptime: home.clock.reading.uptimeMilliseconds, isDark: true)))
            while await home.service.sight?.frame?.isDark != true { await Task.yield() }
            #expect(await home.service.sight?.wrongCount == 1)
            #expect(await home.service.sight?.isWrongInView == false)
            show([Self.milk], to: camera, at: home)
            while await home.service.sight?.isWrongInView != true { await Task.yield() }
            home.clock.advance(byMilliseconds: 1500)
            show([Self.bathroom], to: camera, at: home)
            for await order in home.speaker.orders where order == .silent { break }
            let expected = ["an unknown QR code", "an unknown EAN-13 code", #"the code "bathroom""#]
            #expect(lines.all.withLock { $0 } == expected.map { "Before the camera: \($0)" })
        }
    }

    /// Nothing else leads to a code being read than that somebody looks for one.
    @Test func codesThatNobodyAskedFor_areNotEvenLookedAt() async throws {
        try await withHousehold { camera, home in
            for _ in 0..<10 { show([Self.bathroom], to: camera, at: home) }
            camera.report(.warning("the end of them"))
            while await home.service.cameraView.warning == nil { await Task.yield() }
            let frames = home.trace.passages.filter { if case .took(.frame) = $0 { true } else { false } }
            #expect(frames.isEmpty)
        }
    }

    /// Where nobody has enrolled a code, a machine without a camera is in order.
    @Test(
        arguments: [
            (true, CameraReport.failed(.none), Health.Grade.broken), (false, .failed(.none), nil),
            (false, .failed(.busy(node: "/dev/video0")), .warning), (true, .frame(CameraFrame(takenUptime: 0)), .ok),
            (false, .frame(CameraFrame(takenUptime: 0)), .ok),
        ] as [(Bool, CameraReport, Health.Grade?)])
    func camera_isTriedOut(hasCode: Bool, report: CameraReport, grade: Health.Grade?) async throws {
        try await withHousehold { camera, home in
            if hasCode {
                _ = await enrol("bathroom", [Self.bathroom], camera, home)
                for await order in camera.orders where order == .off { break }
                camera.report(.failed(.none))
            }
            async let tried: Void = home.service.triedOut()
            for await order in camera.orders where order != .off { break }
            camera.report(report)
            await tried
            #expect(await home.service.health(of: .camera)?.grade == grade)
            for await order in camera.orders where order == .off { break }
        }
    }

    /// What is pulled out at noon is told at noon. A plug that is loose keeps nothing busy all night.
    @Test func cameraThatGoesWhileItIsOff_isTriedOut_aFewTimes() async throws {
        try await withHousehold { camera, home in
            for isThere in [true, false, true] {
                camera.report(.camerasChanged)
                for await order in camera.orders where order != .off { break }
                if isThere { show([], to: camera, at: home) } else { camera.report(.failed(.none)) }
                let grade = isThere ? Health.Grade.ok : .warning
                while await home.service.health(of: .camera)?.grade != grade { await Task.yield() }
                for await order in camera.orders where order == .off { break }
                while await home.service.preflight.isRunning { await Task.yield() }
            }
            camera.report(.camerasChanged)
            camera.report(.warning("the last word"))
            while await home.service.cameraView.warning == nil { await Task.yield() }
            #expect(await home.service.camera.order == .off)
        }
    }

    /// A camera that goes while somebody aims it is known to be gone.
    @Test func cameraThatGoesInAPreview_isTriedOut() async throws {
        try await withHousehold { camera, home in
            camera.report(.camerasChanged)
            for await order in camera.orders where order != .off { break }
            show([], to: camera, at: home)
            for await order in camera.orders where order == .off { break }
            while await home.service.preflight.isRunning { await Task.yield() }
            #expect(await home.service.health(of: .camera) == .ok)
            _ = await home.service.preview()
            for await order in camera.orders where order != .off { break }
            camera.report(.failed(.none))
            for await order in camera.orders where order == .read([.qr]) { break }
            camera.report(.failed(.none))
            while await home.service.health(of: .camera)?.grade != .warning { await Task.yield() }
        }
    }

    @Test func preview_isOnWhileItIsAskedFor() async throws {
        try await withHousehold { camera, home in
            #expect(await home.service.preview().frame == nil)
            for await order in camera.orders where order == .read([.qr], previews: true) { break }
            camera.report(.opened(name: "Desk camera"))
            camera.report(.preview([0xFF, 0xD8, 0xFF, 0xD9]))
            show([Self.bathroom], to: camera, at: home)
            while await home.service.cameraView.frame == nil { await Task.yield() }
            let view = await home.service.cameraView
            #expect(view.name == "Desk camera" && view.preview?.count == 4 && view.frame?.codes.count == 1)
            for await order in camera.orders where order == .off { break }
        }
    }
}
