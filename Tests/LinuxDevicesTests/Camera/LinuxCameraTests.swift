// The tests of a camera helper that misbehaves: the driver replaces it and ignores invalid reports.
//
// The stream keeps the last 64 reports. A test that expects the first ones uses a program that sends no
// frames after them.

import Devices
import Foundation
import Oracles
import System
import Testing

@testable import LinuxDevices

@Suite(.timeLimit(.minutes(10))) struct LinuxCameraTests {
    private let scratch: Scratch
    private let running: RunningLoop

    init() throws {
        scratch = try Scratch()
        running = try RunningLoop()
        _ = try scratch.file("video0")
    }

    /// Timeouts that even a busy machine meets. A test shortens the one that it waits for.
    private static let patient = {
        var timeouts = HelperTimeouts()
        timeouts.startMilliseconds = 60_000
        timeouts.silenceMilliseconds = 60_000
        timeouts.framesMilliseconds = 60_000
        timeouts.orderMilliseconds = 100
        timeouts.backoffMilliseconds = [50, 50, 100, 200]
        return timeouts
    }()

    private func camera(
        _ script: String, _ timeouts: HelperTimeouts = Self.patient, program: String = Program.built("scriptedcamera")
    ) -> LinuxCamera {
        var settings = CameraSettings(name: script, program: program)
        settings.nodes = scratch.path
        settings.timeouts = timeouts
        return LinuxCamera(settings, on: running.loop)
    }

    /// Returns the first failures of a program that is started again and again.
    private func failures(
        _ count: Int, of script: String, _ timeouts: HelperTimeouts
    ) async throws -> [CameraFailure] {
        let camera = camera(script, timeouts)
        camera.order(.read([.qr]))
        var failures: [CameraFailure] = []
        for await report in camera.reports {
            if case .failed(let failure) = report { failures.append(failure) }
            if failures.count == count { break }
        }
        return failures
    }

    @Test func codes_areOfTheOrderedKind_untilTheCameraIsOff() async throws {
        let camera = camera("good")
        let begin = Uptime.milliseconds
        camera.order(.read([.qr]))
        var reports = camera.reports.makeAsyncIterator()
        var frames = 0
        while frames < 3 {
            guard case .frame(let frame)? = await reports.next() else { continue }
            frames += 1
            #expect(frame.codes == [ReadCode(.qr, payload: Array("qr".utf8))])
            #expect(begin...Uptime.milliseconds ~= frame.takenUptime)
        }
        camera.order(.read([.qr, .ean13], previews: true))
        var (hasCode, hasPreview) = (false, false)
        while !hasCode || !hasPreview {
            switch await reports.next() {
            case .frame(let frame)?: hasCode = hasCode || frame.codes.contains { $0.symbology == .ean13 }
            case .preview?: hasPreview = true
            default: Issue.record("it does as it was told")
            }
        }
        camera.end()
        while let report = await reports.next() {
            if case .failed(let failure) = report { Issue.record("\(failure)") }
        }
    }

    @Test func helper_isStartedWithItsSocketOnly() async throws {
        let camera = camera("start")
        camera.order(.read([.qr]))
        var reports = camera.reports.makeAsyncIterator()
        #expect(await reports.next() == .opened(name: "start"))
        let arguments = #"["watch", "--power-line", "untouched", "--camera", "start"]"#
        #expect(await reports.next() == .warning("descriptors [0, 1, 2, 3], blocked [], leads true, \(arguments)"))
    }

    static let misdeeds: [(String, CameraFailure)] = [
        ("leave", .reader(reason: "has ended with exit status 3")),
        ("crash", .reader(reason: "has crashed (signal 6)")),
        ("stop", .reader(reason: "does not answer")),
        ("mute", .reader(reason: "does not answer")),
        ("closed", .reader(reason: "does not answer")),
        ("flood", .reader(reason: "sends too many messages")),
        ("rubbish", .reader(reason: "sent an invalid message")),
        ("long", .reader(reason: "sent an invalid message")),
        ("early", .reader(reason: "sent frames before it opened a camera")),
        ("unasked", .reader(reason: "sent codes of kinds that were not ordered")),
        ("pictures", .reader(reason: "sent previews that were not ordered")),
        ("busy", .busy(node: "/dev/video7")),
    ]

    @Test(arguments: misdeeds)
    func misbehavingHelper_isReplaced(script: String, failure: CameraFailure) async throws {
        var timeouts = Self.patient
        if failure == .reader(reason: "does not answer") { timeouts.silenceMilliseconds = 300 }
        #expect(try await failures(3, of: script, timeouts) == [failure, failure, failure])
    }

    @Test func silentHelper_isEnded() async throws {
        var timeouts = Self.patient
        timeouts.startMilliseconds = 200
        #expect(try await failures(1, of: "silent", timeouts) == [.reader(reason: "did not start in time")])
    }

    @Test func missingHelper_isReportedByName() async throws {
        let camera = camera("good", program: "\(scratch.path)/nothing")
        camera.order(.read([.qr]))
        var reports = camera.reports.makeAsyncIterator()
        let text = "does not start (No such file or directory)"
        #expect(await reports.next() == .failed(.reader(reason: text)))
    }

    @Test func cameraWithoutANode_isMissing_untilANodeAppears() async throws {
        let node = "\(scratch.path)/video0"
        try FileManager.default.removeItem(atPath: node)
        let camera = camera("mute")
        camera.order(.read([.qr]))
        var reports = camera.reports.makeAsyncIterator()
        #expect(await reports.next() == .failed(.none))
        _ = try scratch.file("video0")
        var report = await reports.next()
        while report == .failed(.none) { report = await reports.next() }
        #expect(report == .opened(name: "mute"))
    }

    /// A program that does not end when its socket is closed is killed. Only then does the next one start.
    @Test func helperThatDoesNotEnd_isKilled() async throws {
        var timeouts = Self.patient
        timeouts.endMilliseconds = 100
        let camera = camera("stubborn", timeouts)
        camera.order(.read([.qr]))
        var reports = camera.reports.makeAsyncIterator()
        // The first report shows that the program runs.
        _ = await reports.next()
        camera.order(.off)
        camera.order(.read([.aztec]))
        camera.order(.off)
        camera.end()
        while await reports.next() != nil {}
        // A killed process leaves the process table a moment later.
        try await waitUntil(everyMilliseconds: 20) {
            let children = try Program("/bin/ps", ["--ppid", "\(getpid())", "-o", "args="]).lines
            return !children.contains { $0.hasSuffix("--camera stubborn") }
        }
    }

    /// The camera's release ends its program even if no task awaits the reports.
    @Test func releasedCamera_endsItsHelper() async throws {
        var timeouts = Self.patient
        timeouts.endMilliseconds = 100
        var camera: LinuxCamera? = camera("stubborn too", timeouts)
        camera?.order(.read([.aztec]))
        var reports = camera?.reports.makeAsyncIterator()
        // The first report shows that the program runs.
        _ = await reports?.next()
        camera = nil
        while await reports?.next() != nil {}
    }

    @Test func quickOrders_endWithTheLast() async throws {
        let camera = camera("good")
        for _ in 0..<50 {
            camera.order(.read([.qr]))
            camera.order(.off)
        }
        camera.order(.read([.itf]))
        for await report in camera.reports {
            guard case .frame(let frame) = report, !frame.codes.isEmpty else { continue }
            #expect(frame.codes.map(\.symbology) == [.itf])
            break
        }
    }
}
