// The requests to a V4L2 node, as a protocol, so that tests can replace the node.

import Glibc

/// The layout of pictures in a node's buffers.
struct PixelFormat: Hashable {
    var code: FourCC
    var width: Int
    var height: Int
    /// The bytes from one row to the next, by the driver. Some drivers give zero or a wrong number.
    var rowBytes = 0
    /// The size of a buffer that the driver requires.
    var pictureBytes = 0
}

struct FilledBuffer: Hashable {
    var index: Int
    var byteCount: Int
    /// True if the driver marked the frame as damaged.
    var isDamaged = false
    /// The time by CLOCK_MONOTONIC in milliseconds; nil if the driver uses another clock.
    var takenMonotonic: Double?
}

struct ControlRange: Hashable {
    var least: Int32
    var most: Int32
    var step: Int32
    var value: Int32
}

struct VideoError: Error, Hashable {
    var doing: String
    var errorNumber: Int32
}

/// A node that may be a camera.
protocol VideoDevice: AnyObject {
    var node: String { get }
    var descriptor: Int32 { get }

    func formats() -> [FourCC]
    /// Returns the sizes of a format. A range stands for all sizes in it.
    func sizes(of code: FourCC) -> [ClosedRange<FrameSize>]
    /// Returns the rates of a format in frames per second; if the driver names a range, its highest rate.
    func rates(of format: PixelFormat) -> (rates: [Double], isRange: Bool)
    /// Requests a format. Returns the format that the driver has set.
    func setFormat(_ format: PixelFormat) throws(VideoError) -> PixelFormat
    func setRate(_ rate: Double) throws(VideoError)

    /// Allocates up to `count` buffers. Returns their number.
    func makeBuffers(_ count: Int) throws(VideoError) -> Int
    func freeBuffers()
    func queue(_ index: Int) throws(VideoError)
    /// Returns the next filled buffer, or nil if there is none. Never blocks.
    func dequeue() throws(VideoError) -> FilledBuffer?
    func withBuffer<Answer>(_ index: Int, _ use: (UnsafeRawBufferPointer) -> Answer) -> Answer?
    func setStreaming(_ isOn: Bool) throws(VideoError)

    /// Returns nil for a control that the camera does not have, or that is disabled or read-only.
    func range(of control: CameraControl) -> ControlRange?
    func set(_ control: CameraControl, to value: Int32) throws(VideoError)
}

struct FrameSize: Hashable, Comparable {
    var width: Int
    var height: Int

    var points: Int { width * height }

    static func < (one: FrameSize, other: FrameSize) -> Bool {
        (one.points, one.width) < (other.points, other.width)
    }
}

struct FourCC: Hashable, CustomStringConvertible, ExpressibleByStringLiteral {
    var number: UInt32

    init(number: UInt32) { self.number = number }

    init(_ letters: StaticString) {
        number = letters.withUTF8Buffer { $0.reversed().reduce(0) { $0 << 8 | UInt32($1) } }
    }

    init(stringLiteral letters: StaticString) { self.init(letters) }

    static let grey = FourCC("GREY")
    static let yuyv = FourCC("YUYV")
    static let uyvy = FourCC("UYVY")
    static let nv12 = FourCC("NV12")
    static let yu12 = FourCC("YU12")
    static let motionJPEG = FourCC("MJPG")
    static let jpeg = FourCC("JPEG")

    var description: String {
        String(decoding: (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * UInt32($0))) }, as: UTF8.self)
    }
}

/// A control, with the kernel's number.
enum CameraControl: UInt32, Hashable, CaseIterable {
    case gain = 0x0098_0913
    case automaticGain = 0x0098_0912
    case powerLineFrequency = 0x0098_0918
    case automaticExposure = 0x009A_0901
    case exposure = 0x009A_0902
    /// Allows a lower frame rate, so that each frame can be exposed for longer.
    case dynamicFrameRate = 0x009A_0903
    case focus = 0x009A_090A
    case automaticFocus = 0x009A_090C
}
