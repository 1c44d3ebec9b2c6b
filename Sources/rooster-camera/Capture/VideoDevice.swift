// What is asked of a V4L2 node. Tests put one of their own in its place.

import Glibc

/// How pictures lie in the buffers of a node.
struct PixelFormat: Hashable {
    var code: FourCC
    var width: Int
    var height: Int
    /// From one row to the next, as the driver says; some say nothing, or something wrong.
    var rowBytes = 0
    /// What the driver wants a buffer to hold.
    var pictureBytes = 0
}

struct FilledBuffer: Hashable {
    var index: Int
    var byteCount: Int
    /// The driver says itself that it is damaged.
    var isDamaged = false
    /// In milliseconds of the clock that stands still while the machine sleeps; nil where the driver says another.
    var takenMonotonic: Double?
}

/// A control of a camera: what it is now, and what it may be.
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
    /// Sizes that a format comes in: all within the range where the driver names one.
    func sizes(of code: FourCC) -> [ClosedRange<FrameSize>]
    /// How many frames a second a format can have; where the driver names a range, the most.
    func rates(of format: PixelFormat) -> (rates: [Double], isRange: Bool)
    /// Asks for a format, and answers with the one that it is.
    func setFormat(_ format: PixelFormat) throws(VideoError) -> PixelFormat
    func setRate(_ rate: Double) throws(VideoError)

    /// Takes that many buffers, or fewer, and answers with how many.
    func makeBuffers(_ count: Int) throws(VideoError) -> Int
    func freeBuffers()
    func queue(_ index: Int) throws(VideoError)
    /// The next that is filled; nothing where none is. It never waits.
    func dequeue() throws(VideoError) -> FilledBuffer?
    func withBuffer<Answer>(_ index: Int, _ use: (UnsafeRawBufferPointer) -> Answer) -> Answer?
    func setStreaming(_ isOn: Bool) throws(VideoError)

    /// Nothing for a control that it does not have, or that is out of use now.
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

/// A control, by the kernel's number.
enum CameraControl: UInt32, Hashable, CaseIterable {
    case gain = 0x0098_0913
    case automaticGain = 0x0098_0912
    case powerLineFrequency = 0x0098_0918
    case automaticExposure = 0x009A_0901
    case exposure = 0x009A_0902
    /// Whether frames may come more slowly so that each can be exposed for longer.
    case dynamicFrameRate = 0x009A_0903
    case focus = 0x009A_090A
    case automaticFocus = 0x009A_090C
}
