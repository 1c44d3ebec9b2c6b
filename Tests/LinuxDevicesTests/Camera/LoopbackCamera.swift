// A camera of the kernel's whose pictures a test paints: v4l2loopback, where there is one.

import CQrencode
import CVideo
import Foundation
import Synchronization

@testable import LinuxDevices

/// What is written to it is what it sees, 15 times a second.
final class LoopbackCamera: Sendable {
    /// The first there is; nothing on most machines.
    static let node = (0..<8).map { "/dev/video\($0)" }.first { driver(of: $0) == "v4l2 loopback" }

    private struct Scene {
        var luma: [UInt8]
        /// When it was first written, in milliseconds since the machine's start.
        var shownUptime: Double?
        var isOver = false
    }

    static let width = 640
    static let height = 480
    private static let frameMicroseconds: UInt32 = 66_667
    /// VIDIOC_S_FMT, a macro that Swift does not see.
    private static let setFormat: UInt = 0xC0D0_5605

    private let descriptor: Int32
    private let scene = Mutex(Scene(luma: blank))
    private let isGone = Mutex(false)

    static let blank = [UInt8](repeating: 160, count: width * height)

    init() throws {
        let node = Self.node ?? ""
        descriptor = Glibc.open(node, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { throw POSIXError(.ENODEV) }
        var format = v4l2_format()
        format.type = V4L2_BUF_TYPE_VIDEO_OUTPUT.rawValue
        // GREY
        format.fmt.pix.pixelformat = 0x5945_5247
        (format.fmt.pix.width, format.fmt.pix.height) = (UInt32(Self.width), UInt32(Self.height))
        format.fmt.pix.field = V4L2_FIELD_NONE.rawValue
        format.fmt.pix.bytesperline = UInt32(Self.width)
        format.fmt.pix.sizeimage = UInt32(Self.width * Self.height)
        guard ioctl(descriptor, Self.setFormat, &format) == 0 else { throw POSIXError(.EINVAL) }
        guard runThread(named: "lens", { [self] in film() }) == 0 else { throw POSIXError(.EAGAIN) }
    }

    private func film() {
        while true {
            let (luma, isOver) = scene.withLock { scene in
                if scene.shownUptime == nil { scene.shownUptime = Uptime.now }
                return (scene.luma, scene.isOver)
            }
            guard !isOver else { break }
            _ = write(descriptor, luma, luma.count)
            usleep(Self.frameMicroseconds)
        }
        close(descriptor)
        isGone.withLock { $0 = true }
    }

    func show(_ luma: [UInt8]) { scene.withLock { $0 = Scene(luma: luma, isOver: $0.isOver) } }

    /// When what it shows now was written first.
    var shownUptime: Double? { scene.withLock(\.shownUptime) }

    /// Pulls the plug: nobody writes any more.
    func unplug() {
        scene.withLock { $0.isOver = true }
        while !isGone.withLock(\.self) { usleep(5000) }
    }

    private static func driver(of node: String) -> String? {
        let descriptor = Glibc.open(node, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var about = video_node()
        guard video_describe(descriptor, &about) == 0 else { return nil }
        return withUnsafeBytes(of: about.driver) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }

    /// A QR code in the middle of a wall.
    static func code(_ text: String) throws -> [UInt8] {
        guard let code = QRcode_encodeString8bit(text, 0, QR_ECLEVEL_M) else { throw POSIXError(.ENOMEM) }
        defer { QRcode_free(code) }
        let side = Int(code.pointee.width)
        let (scale, quiet) = (240 / (side + 8), 4)
        let (left, top) = ((width - (side + 8) * scale) / 2, (height - (side + 8) * scale) / 2)
        var luma = blank
        for y in 0..<(side + 8) * scale {
            for x in 0..<(side + 8) * scale {
                let (column, row) = (x / scale - quiet, y / scale - quiet)
                let isInside = (0..<side).contains(column) && (0..<side).contains(row)
                let isBlack = isInside && code.pointee.data[row * side + column] & 1 == 1
                luma[(top + y) * width + left + x] = isBlack ? 20 : 230
            }
        }
        return luma
    }
}
