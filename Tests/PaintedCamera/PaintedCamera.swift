// The camera whose pictures a test or benchmark paints: v4l2loopback, if the kernel has it.

import CQrencode
import CVideo
import Glibc
import Synchronization
import System

/// Shows the painted picture at 15 frames per second.
public final class PaintedCamera: Sendable {
    /// The first node of v4l2loopback, or nil on most machines.
    public static let node = (0..<8).map { "/dev/video\($0)" }.first { driver(of: $0) == "v4l2 loopback" }

    /// The driver refused a call.
    public struct Failure: Error {}

    private struct Scene {
        var luma: [UInt8]
        /// The time of its first write, in milliseconds since the machine's start.
        var shownUptime: Double?
        var isOver = false
    }

    /// The pixel format and the size of a picture.
    public struct Form: Hashable, Sendable {
        /// The four letters of the format.
        public var name: String
        /// The four letters as a number, the first in the least significant byte.
        var code: UInt32
        var bytesPerPoint: Int
        /// The number of pixels in a row.
        public var width = 640
        /// The number of rows.
        public var height = 480

        /// One byte of brightness for each pixel.
        public static let grey = Form(name: "GREY", code: 0x5945_5247, bytesPerPoint: 1)
        /// The unpacked format that most cameras deliver.
        public static let yuyv = Form(name: "YUYV", code: 0x5659_5559, bytesPerPoint: 2)
        /// A format that only libv4lconvert reads.
        public static let rgb = Form(name: "RGB3", code: 0x3342_4752, bytesPerPoint: 3)

        /// The same format at 1920 × 1080, which few cameras exceed.
        public var large: Form {
            var form = self
            (form.width, form.height) = (1920, 1080)
            return form
        }

        var blank: [UInt8] { [UInt8](repeating: 160, count: width * height) }

        func packed(_ luma: [UInt8]) -> [UInt8] {
            guard bytesPerPoint > 1 else { return luma }
            var bytes = [UInt8](repeating: 128, count: luma.count * bytesPerPoint)
            let coloured = code == Self.yuyv.code ? 1 : bytesPerPoint
            for (place, light) in luma.enumerated() {
                for byte in 0..<coloured { bytes[place * bytesPerPoint + byte] = light }
            }
            return bytes
        }
    }

    /// The minimum time for which each picture is shown.
    public static let frameMilliseconds = 66.7
    /// VIDIOC_S_FMT, a macro that Swift does not import.
    private static let setFormat: UInt = 0xC0D0_5605

    private let descriptor: Int32
    /// The pixel format and the size of its pictures.
    public let form: Form
    private let scene: Mutex<Scene>
    private let end = Semaphore()

    /// Opens the driver's node and shows a blank picture.
    public init(_ form: Form = .grey) throws {
        self.form = form
        scene = Mutex(Scene(luma: form.packed(form.blank)))
        let node = Self.node ?? ""
        descriptor = Glibc.open(node, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { throw Failure() }
        var format = v4l2_format()
        format.type = V4L2_BUF_TYPE_VIDEO_OUTPUT.rawValue
        format.fmt.pix.pixelformat = form.code
        (format.fmt.pix.width, format.fmt.pix.height) = (UInt32(form.width), UInt32(form.height))
        format.fmt.pix.field = V4L2_FIELD_NONE.rawValue
        format.fmt.pix.bytesperline = UInt32(form.width * form.bytesPerPoint)
        format.fmt.pix.sizeimage = UInt32(form.width * form.height * form.bytesPerPoint)
        guard ioctl(descriptor, Self.setFormat, &format) == 0 else { throw Failure() }
        try startThread(named: "lens") { [self] in film() }
    }

    private func film() {
        while true {
            let (luma, isOver) = scene.withLock { scene in
                if scene.shownUptime == nil { scene.shownUptime = PaintedCamera.uptime }
                return (scene.luma, scene.isOver)
            }
            guard !isOver else { break }
            _ = write(descriptor, luma, luma.count)
            usleep(UInt32(Self.frameMilliseconds * 1000))
        }
        close(descriptor)
        end.signal()
    }

    private func show(_ luma: [UInt8]) {
        let packed = form.packed(luma)
        scene.withLock { $0 = Scene(luma: packed, isOver: $0.isOver) }
    }

    /// Shows a blank picture.
    public func showNothing() { show(form.blank) }

    /// Shows a QR code of half the picture's height.
    public func showCode(_ text: String) throws(Failure) { show(try Self.code(text, form)) }

    /// The time at which the current picture was first written, in milliseconds since the machine's start.
    public var shownUptime: Double? { scene.withLock(\.shownUptime) }

    /// Stops writing, so that the node is no longer a camera.
    public func unplug() {
        scene.withLock { $0.isOver = true }
        end.wait()
        // A later call must not block here.
        end.signal()
    }

    private static var uptime: Double {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1_000_000
    }

    private static func driver(of node: String) -> String? {
        let descriptor = Glibc.open(node, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var about = v4l2_capability()
        guard video_ask(descriptor, video_describe, &about) == 0 else { return nil }
        return withUnsafeBytes(of: about.driver) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }

    /// Returns a picture with a QR code in its middle.
    private static func code(_ text: String, _ form: Form) throws(Failure) -> [UInt8] {
        guard let code = QRcode_encodeString8bit(text, 0, QR_ECLEVEL_M) else { throw Failure() }
        defer { QRcode_free(code) }
        let side = Int(code.pointee.width)
        let (scale, quiet) = (form.height / 2 / (side + 8), 4)
        let (left, top) = ((form.width - (side + 8) * scale) / 2, (form.height - (side + 8) * scale) / 2)
        var luma = form.blank
        for y in 0..<(side + 8) * scale {
            for x in 0..<(side + 8) * scale {
                let (column, row) = (x / scale - quiet, y / scale - quiet)
                let isInside = (0..<side).contains(column) && (0..<side).contains(row)
                let isBlack = isInside && code.pointee.data[row * side + column] & 1 == 1
                luma[(top + y) * form.width + left + x] = isBlack ? 20 : 230
            }
        }
        return luma
    }
}
