// The tests of the whole path from a real driver's frame to the report of its code, on v4l2loopback.

import Devices
import Foundation
import Oracles
import PaintedCamera
import System
import Testing

@testable import LinuxDevices

@Suite(.serialized, .timeLimit(.minutes(10)), .enabled(if: PaintedCamera.node != nil, "there is no v4l2loopback"))
struct LoopbackCameraTests {
    private let running: RunningLoop
    private let lens: PaintedCamera
    private let camera: LinuxCamera
    private var reports: AsyncStream<CameraReport>.Iterator

    init() throws {
        running = try RunningLoop()
        lens = try PaintedCamera()
        camera = LinuxCamera(CameraSettings(program: Program.built("rooster-camera")), on: running.loop)
        reports = camera.reports.makeAsyncIterator()
        camera.order(.read([.qr]))
    }

    /// Returns the first frame that matches, and the failures before it.
    private mutating func frame(
        where isWanted: (CameraFrame) -> Bool
    ) async throws -> (frame: CameraFrame, failures: [CameraFailure]) {
        var failures: [CameraFailure] = []
        while let report = await reports.next() {
            switch report {
            case .frame(let frame) where isWanted(frame): return (frame, failures)
            case .failed(let failure): failures.append(failure)
            default: break
            }
        }
        throw POSIXError(.ENODATA)
    }

    private mutating func end() async {
        camera.end()
        while await reports.next() != nil {}
        lens.unplug()
    }

    private func text(_ frame: CameraFrame) -> [String] {
        frame.codes.map { String(decoding: $0.payload, as: UTF8.self) }
    }

    @Test mutating func code_isReportedSoonAfterItIsInView() async throws {
        var delays: [Double] = []
        for round in 0..<Thoroughness.pick(20, full: 200) {
            lens.showNothing()
            _ = try await frame { $0.codes.isEmpty }
            try lens.showCode("bathroom \(round)")
            let seen = try await frame { !$0.codes.isEmpty }
            let now = Uptime.now
            #expect(text(seen.frame) == ["bathroom \(round)"])
            #expect(seen.failures.isEmpty)
            let shown = try #require(lens.shownUptime)
            #expect(Double(seen.frame.takenUptime) >= shown - 100)
            delays.append(now - shown)
        }
        delays.sort()
        let (middle, late) = (delays[delays.count / 2], delays[delays.count * 99 / 100])
        print("code in view → report, ms: p50 \(Int(middle)), p99 \(Int(late)), max \(Int(delays[delays.count - 1]))")
        await end()
    }

    @Test(arguments: [PaintedCamera.Form.yuyv, .rgb, .yuyv.large, .rgb.large])
    mutating func codes_areReadInEveryFormat(form: PaintedCamera.Form) async throws {
        camera.order(.off)
        lens.unplug()
        try await waitUntil { try !isReading }
        let other = try PaintedCamera(form)
        try other.showCode(form.name)
        camera.order(.read([.qr]))
        let seen = try await frame { !$0.codes.isEmpty }
        #expect(text(seen.frame) == [form.name])
        #expect(try status("Seccomp:", "NoNewPrivs:") == "NoNewPrivs:\t1, Seccomp:\t2")
        print("\(form.name) \(form.width) × \(form.height): \(try status("VmPeak:", "VmHWM:"))")
        camera.end()
        while await reports.next() != nil {}
        other.unplug()
    }

    private var isReading: Bool {
        get throws { try Program("/usr/bin/pgrep", ["-P", "\(getpid())", "-x", "rooster-camera"]).exitStatus == 0 }
    }

    /// Returns the lines of these names from the program's `/proc` status.
    private func status(_ names: String...) throws -> String {
        let process =
            try Program("/usr/bin/pgrep", ["-P", "\(getpid())", "-x", "rooster-camera"]).lines.first ?? "self"
        let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8).split(separator: "\n")
        return status.filter { line in names.contains { line.hasPrefix($0) } }.joined(separator: ", ")
    }

    @Test mutating func killedHelper_isReplaced() async throws {
        try lens.showCode("bathroom")
        for _ in 0..<3 {
            _ = try await frame { !$0.codes.isEmpty }
            _ = try Program("/usr/bin/pkill", ["-KILL", "-P", "\(getpid())", "-x", "rooster-camera"])
            let killed = Uptime.now
            let seen = try await frame { !$0.codes.isEmpty && Double($0.takenUptime) > killed }
            print("killed → code, ms: \(Int(Uptime.now - killed))")
            #expect(seen.failures == [.reader(reason: "was killed")])
        }
        await end()
    }

    /// The driver's node is a camera only while a process writes to it.
    @Test mutating func unpluggedCamera_isReported_andReturns() async throws {
        _ = try await frame { _ in true }
        lens.unplug()
        var failure: CameraFailure?
        while failure == nil, let report = await reports.next() {
            if case .failed(let failed) = report { failure = failed }
        }
        #expect(
            failure == .silent(node: PaintedCamera.node ?? "")
                || failure == .unplugged(node: PaintedCamera.node ?? ""))
        let next = try PaintedCamera()
        try next.showCode("again")
        let seen = try await frame { !$0.codes.isEmpty }
        #expect(text(seen.frame) == ["again"])
        camera.end()
        while await reports.next() != nil {}
        next.unplug()
    }

    @Test mutating func previews_areReported_whileRequested() async throws {
        camera.order(.read([.qr], previews: true))
        var preview: [UInt8]?
        while preview == nil, let report = await reports.next() {
            if case .preview(let picture) = report { preview = picture }
        }
        #expect(preview?.starts(with: [0xFF, 0xD8]) == true)
        await end()
    }

    /// When the camera is off, its program has ended.
    @Test mutating func off_endsTheHelper() async throws {
        _ = try await frame { _ in true }
        camera.order(.off)
        try await waitUntil { try !isReading }
        await end()
    }
}
