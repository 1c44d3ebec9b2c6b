// A camera of the kernel's whose pictures are painted by whoever tests or measures: v4l2loopback, where there is one.

import CQrencode
import CVideo
import Glibc
import Synchronization
import System

/// What is written to it is what it sees, 15 times a second.
public final class PaintedCamera: Sendable {
    /// The first there is; nothing on most machines.
    public static let node = (0..<8).map { "/dev/video\($0)" }.first { driver(of: $0) == "v4l2 loopback" }

    /// The driver does not do as it was asked.
    public struct Failure: Error {}

    private struct Scene {
        var luma: [UInt8]
        /// When it was first written, in milliseconds since the machine's start.
        var shownUptime: Double?
        var isOver = false
    }

    /// How its pictures lie in a buffer.
    public struct Form: Hashable, Sendable {
        /// Its four letters.
        public var name: String
        /// By its four letters, the first in the least significant byte.
        var code: UInt32
        var bytesPerPoint: Int
        /// How many points a row has.
        public var width = 640
        /// How many rows it has.
        public var height = 480

        /// Nothing but how light each point is.
        public static let grey = Form(name: "GREY", code: 0x5945_5247, bytesPerPoint: 1)
        /// What most cameras give that do not pack.
        public static let yuyv = Form(name: "YUYV", code: 0x5659_5559, bytesPerPoint: 2)
        /// One that only libv4lconvert reads.
        public static let rgb = Form(name: "RGB3", code: 0x3342_4752, bytesPerPoint: 3)

        /// So large as few are.
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

    /// How long each picture is shown, at least.
    public static let frameMilliseconds = 66.7
    /// VIDIOC_S_FMT, a macro that Swift does not see.
    private static let setFormat: UInt = 0xC0D0_5605

    private let descriptor: Int32
    /// How its pictures lie in a buffer.
    public let form: Form
    private let scene: Mutex<Scene>
    private let end = Semaphore()

    /// Becomes what the driver's node shows.
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

    /// It looks at a wall.
    public func showNothing() { show(form.blank) }

    /// It looks at a QR code that takes half of its height.
    public func showCode(_ text: String) throws(Failure) { show(try Self.code(text, form)) }

    /// When what it shows now was written first, in milliseconds since the machine's start.
    public var shownUptime: Double? { scene.withLock(\.shownUptime) }

    /// Pulls the plug: nobody writes any more.
    public func unplug() {
        scene.withLock { $0.isOver = true }
        end.wait()
        // For whoever waits for it again.
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

    /// A QR code in the middle of a wall.
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
