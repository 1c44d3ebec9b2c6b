// The tests of frames from a faulty camera: too little bandwidth, wrong row lengths, cut frames.

import CodeReading
import Devices
import Glibc
import System
import Testing

@testable import rooster_camera

@Suite struct VideoCaptureTests {
    private static let small = [SimulatedVideoDevice.Mode(code: .yuyv, width: 4, height: 2, rates: [30])]

    private func open(_ camera: SimulatedVideoDevice) throws(CameraFailure) -> VideoCapture {
        try VideoCapture(camera, name: "fake", powerLine: .untouched)
    }

    // MARK: Formats

    static let cameras: [([SimulatedVideoDevice.Mode], FourCC, Int, Double)] = [
        // A typical camera: large pictures come at few frames per second, unless they are compressed.
        (
            [
                .init(code: .yuyv, width: 1280, height: 720, rates: [10, 5]),
                .init(code: .yuyv, width: 640, height: 480, rates: [30, 15]),
                .init(code: .motionJPEG, width: 1920, height: 1080, rates: [30]),
                .init(code: .motionJPEG, width: 1280, height: 720, rates: [60, 30, 15]),
            ], .motionJPEG, 1280, 15
        ),
        (
            [
                .init(code: .yuyv, width: 1280, height: 720, rates: [10, 5]),
                .init(code: .yuyv, width: 640, height: 480, rates: [30]),
            ], .yuyv, 640, 30
        ),
        ([.init(code: .yuyv, width: 320, height: 240, rates: [7.5])], .yuyv, 320, 7.5),
        (
            [
                .init(code: .nv12, width: 1280, height: 720, rates: [30]),
                .init(code: .grey, width: 1280, height: 720, rates: [30]),
            ], .grey, 1280, 30
        ),
        // Compressed video (H264) and depth maps (Z16) cannot be read.
        (
            [
                .init(code: "H264", width: 1280, height: 720, rates: [30]),
                .init(code: "Z16 ", width: 1280, height: 720, rates: [30]),
                .init(code: .yuyv, width: 640, height: 480, rates: [30]),
            ], .yuyv, 640, 30
        ),
    ]

    @Test(arguments: cameras)
    func format_isReadableByAPi(modes: [SimulatedVideoDevice.Mode], code: FourCC, width: Int, rate: Double) throws {
        let camera = SimulatedVideoDevice(modes)
        _ = try open(camera)
        #expect(camera.format?.code == code)
        #expect(camera.format?.width == width)
        #expect(camera.rate == rate)
        #expect(camera.isStreaming && camera.queuedCount == 4)
    }

    @Test func missingBandwidth_makesPicturesSmaller_andIsReported() throws {
        let camera = SimulatedVideoDevice(Self.cameras[0].0)
        camera.tooLarge = { $0.width > 640 }
        let capture = try open(camera)
        #expect(camera.format?.width == 640)
        #expect(capture.warnings == ["The camera's USB bus is nearly full, so its pictures are only 640 × 480"])
        camera.tooLarge = { _ in true }
        #expect(throws: CameraFailure.noBandwidth(node: camera.node)) { try open(camera) }
    }

    static let refusals: [(String, Int32, CameraFailure)] = [
        ("format", EBUSY, .busy(node: "/dev/video9")), ("buffers", EBUSY, .busy(node: "/dev/video9")),
        ("stream", ENODEV, .unplugged(node: "/dev/video9")),
        ("stream", EINVAL, .system(doing: "stream", errorNumber: EINVAL)),
    ]

    @Test(arguments: refusals)
    func refusals_areTyped(request: String, number: Int32, failure: CameraFailure) throws {
        let camera = SimulatedVideoDevice(Self.small)
        camera.errors[request] = number
        #expect(throws: failure) { try open(camera) }
    }

    @Test func cameraWithoutAFormat_isReported() throws {
        #expect(throws: CameraFailure.noFormat(node: "/dev/video9")) { try open(SimulatedVideoDevice([])) }
    }

    // MARK: Frames

    @Test func luma_isExtractedFromEachFormat() throws {
        let wanted: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8]
        for code in [FourCC.grey, .nv12, .yu12, .yuyv, .uyvy] {
            let camera = SimulatedVideoDevice([.init(code: code, width: 4, height: 2, rates: [30])])
            let capture = try open(camera)
            let bytes: [UInt8] =
                switch code {
                case .yuyv: wanted.flatMap { [$0, 128] }
                case .uyvy: wanted.flatMap { [128, $0] }
                case .grey: wanted
                default: wanted + [128, 128, 128, 128]
                }
            camera.show(bytes)
            #expect(try capture.newest()?.picture.luma == wanted, "\(code)")
            #expect(camera.queuedCount == 4)
        }
    }

    @Test func rowLength_whenTheDriverIsWrong_isDerivedFromThePicture() throws {
        let rows: [[UInt8]] = [[1, 0, 2, 0, 3, 0, 4, 0], [5, 0, 6, 0, 7, 0, 8, 0]]
        let padded: [UInt8] = rows[0] + [9, 9, 9, 9] + rows[1] + [9, 9, 9, 9]
        let tight = Array(rows.joined())
        for (claimed, bytes) in [(12, padded), (0, tight), (4, tight), (4096, tight)] {
            let camera = SimulatedVideoDevice(Self.small)
            camera.rowBytes = claimed
            let capture = try open(camera)
            camera.show(bytes)
            #expect(try capture.newest()?.picture.luma == [1, 2, 3, 4, 5, 6, 7, 8], "\(claimed)")
        }
    }

    @Test func shortOrDamagedFrames_areReturnedToTheDriver() throws {
        let camera = SimulatedVideoDevice(Self.small)
        let capture = try open(camera)
        camera.show([UInt8](repeating: 7, count: 15))
        camera.show([])
        camera.show([UInt8](repeating: 7, count: 16), isDamaged: true)
        #expect(try capture.newest() == nil)
        #expect(camera.queuedCount == 4)
    }

    @Test func newestFrame_isRead() throws {
        let camera = SimulatedVideoDevice(Self.small)
        let capture = try open(camera)
        for shade in [UInt8](1...9) { camera.show([UInt8](repeating: shade, count: 16)) }
        // The camera has four buffers, so it drops later frames.
        #expect(try capture.newest()?.picture.luma.first == 4)
        #expect(camera.queuedCount == 4)
        camera.show([UInt8](repeating: 11, count: 16))
        camera.show([UInt8](repeating: 12, count: 16), isDamaged: true)
        #expect(try capture.newest()?.picture.luma.first == 11)
    }

    /// Some drivers report a wrong length, so the size comes from the JPEG header.
    @Test func truncatedMotionJPEG_isNotAFrame() throws {
        let camera = SimulatedVideoDevice([.init(code: .motionJPEG, width: 640, height: 480, rates: [30])])
        let capture = try open(camera)
        let luma = (0..<320 * 240).map { UInt8(truncatingIfNeeded: $0 / 320 + $0 % 320) }
        let picture = try #require(Picture(width: 320, height: 240, luma: luma))
        let packed = try #require(PreviewMaker().preview(of: picture))
        // Cameras pad the buffer after the end of a JPEG.
        camera.show(packed + [UInt8](repeating: 0, count: 1000))
        let read = try #require(try capture.newest()).picture
        #expect(read.width == 320 && zip(read.luma, luma).allSatisfy { abs(Int($0) - Int($1)) < 40 })
        camera.show(Array(packed.prefix(packed.count / 2)))
        #expect(try capture.newest() == nil)
        camera.show([0xFF, 0xD8, 0xFF, 0xD9])
        #expect(try capture.newest() == nil)
        #expect(camera.queuedCount == 4)
    }

    static let losses: [(Int32, CameraFailure)] = [
        (ENODEV, .unplugged(node: "/dev/video9")), (ENOTTY, .unplugged(node: "/dev/video9")),
        (EINVAL, .system(doing: "dequeue", errorNumber: EINVAL)),
    ]

    @Test(arguments: losses) func removedCamera_isReported(number: Int32, failure: CameraFailure) throws {
        let camera = SimulatedVideoDevice(Self.small)
        let capture = try open(camera)
        camera.errors["dequeue"] = number
        #expect(throws: failure) { try capture.newest() }
    }

    @Test func time_isTheTimestampOfTheFrame_orNow() throws {
        let camera = SimulatedVideoDevice(Self.small)
        let capture = try open(camera)
        let begin = Uptime.now
        let monotonic = Double(kernelNanoseconds(CLOCK_MONOTONIC)) / 1_000_000
        for (taken, age) in [
            (monotonic - 300, 300.0), (monotonic - 1900, 1900), (monotonic + 600_000, 0), (0, 0), (nil, 0),
        ] {
            camera.show([UInt8](repeating: 7, count: 16), takenMonotonic: taken)
            let uptime = try #require(try capture.newest()).uptime
            // The clocks are read one after the other, so they differ by less than the duration of this
            // test.
            #expect(abs(Double(uptime) - (begin - age)) <= Uptime.now - begin + 2)
        }
    }
}
