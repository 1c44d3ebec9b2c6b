// A node of the kernel's, asked by its own requests.

import CVideo
import Glibc

/// An open node. It owns the descriptor and the buffers that are mapped.
final class VideoNode: VideoDevice {
    let node: String
    let descriptor: Int32
    let driver: String
    let card: String
    private let capabilities: UInt32
    private var buffers: [UnsafeMutableRawBufferPointer] = []

    /// More is named by no driver that means it.
    private static let choicesMax: UInt32 = 64

    /// Opens it; nothing of it is changed, and nobody else is kept out.
    init(_ node: String) throws(VideoError) {
        descriptor = Glibc.open(node, O_RDWR | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw VideoError(doing: "open \(node)", errorNumber: errno) }
        self.node = node
        var about = video_node()
        let answer = video_describe(descriptor, &about)
        let number = errno
        driver = VideoNode.text(about.driver)
        card = VideoNode.text(about.card)
        capabilities = about.capabilities
        guard answer == 0 else { throw VideoError(doing: "ask \(node) what it is", errorNumber: number) }
    }

    deinit {
        unmap()
        close(descriptor)
    }

    /// Whether it gives single pictures, and takes none: what converts pictures is no camera.
    var isCapture: Bool {
        let wanted = UInt32(V4L2_CAP_VIDEO_CAPTURE) | UInt32(V4L2_CAP_STREAMING)
        return capabilities & wanted == wanted
            && capabilities & UInt32(V4L2_CAP_VIDEO_OUTPUT | V4L2_CAP_VIDEO_M2M) == 0
    }

    /// Whether it is one of many parts, which only libcamera puts together.
    var isPartOfPipeline: Bool { capabilities & 0x2000_0000 != 0 }

    private static func text<Bytes>(_ bytes: Bytes) -> String {
        withUnsafeBytes(of: bytes) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }

    private func check(_ answer: Int32, _ doing: String) throws(VideoError) {
        guard answer != 0 else { return }
        throw VideoError(doing: "\(doing) \(node)", errorNumber: errno)
    }

    // MARK: Formats

    func formats() -> [FourCC] {
        var formats: [FourCC] = []
        var code: UInt32 = 0
        for index in 0..<VideoNode.choicesMax {
            guard video_format_at(descriptor, index, &code) == 0 else { break }
            formats.append(FourCC(number: code))
        }
        return formats
    }

    func sizes(of code: FourCC) -> [ClosedRange<FrameSize>] {
        var sizes: [ClosedRange<FrameSize>] = []
        var choice = video_choice()
        for index in 0..<VideoNode.choicesMax {
            guard video_size_at(descriptor, code.number, index, &choice) == 0 else { break }
            let least = FrameSize(width: Int(choice.least_width), height: Int(choice.least_height))
            let most = FrameSize(width: Int(choice.most_width), height: Int(choice.most_height))
            if least <= most { sizes.append(least...most) }
            if choice.is_range != 0 { break }
        }
        return sizes
    }

    func rates(of format: PixelFormat) -> (rates: [Double], isRange: Bool) {
        var rates: [Double] = []
        var choice = video_choice()
        var asked = video_format(format)
        for index in 0..<VideoNode.choicesMax {
            guard video_interval_at(descriptor, &asked, index, &choice) == 0 else { break }
            if choice.numerator > 0 { rates.append(Double(choice.denominator) / Double(choice.numerator)) }
            if choice.is_range != 0 { return (rates, true) }
        }
        return (rates, false)
    }

    func setFormat(_ format: PixelFormat) throws(VideoError) -> PixelFormat {
        var asked = video_format(format)
        try check(video_set_format(descriptor, &asked), "set the format of")
        return PixelFormat(
            code: FourCC(number: asked.fourcc), width: Int(asked.width), height: Int(asked.height),
            rowBytes: Int(asked.row_bytes), pictureBytes: Int(asked.picture_bytes))
    }

    func setRate(_ rate: Double) throws(VideoError) {
        try check(video_set_interval(descriptor, 1000, UInt32((rate * 1000).rounded())), "set the rate of")
    }

    // MARK: Buffers

    func makeBuffers(_ count: Int) throws(VideoError) -> Int {
        var given = UInt32(count)
        try check(video_request_buffers(descriptor, &given), "take buffers of")
        for index in 0..<given {
            var (bytes, offset): (UInt32, UInt32) = (0, 0)
            try check(video_buffer_at(descriptor, index, &bytes, &offset), "find a buffer of")
            let start = mmap(nil, Int(bytes), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, Int(offset))
            guard let start, start != MAP_FAILED else {
                throw VideoError(doing: "map a buffer of \(node)", errorNumber: errno)
            }
            buffers.append(UnsafeMutableRawBufferPointer(start: start, count: Int(bytes)))
        }
        return Int(given)
    }

    func freeBuffers() {
        unmap()
        var none: UInt32 = 0
        // A node that is gone has none.
        _ = video_request_buffers(descriptor, &none)
    }

    private func unmap() {
        for buffer in buffers { munmap(buffer.baseAddress, buffer.count) }
        buffers = []
    }

    func queue(_ index: Int) throws(VideoError) {
        try check(video_queue(descriptor, UInt32(index)), "give a buffer to")
    }

    func dequeue() throws(VideoError) -> FilledBuffer? {
        var frame = video_frame()
        guard video_dequeue(descriptor, &frame) == 0 else {
            if errno == EAGAIN { return nil }
            throw VideoError(doing: "take a frame of \(node)", errorNumber: errno)
        }
        let isMonotonic =
            frame.flags & UInt32(V4L2_BUF_FLAG_TIMESTAMP_MASK) == UInt32(V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC)
        return FilledBuffer(
            index: Int(frame.index), byteCount: Int(frame.bytes),
            isDamaged: frame.flags & UInt32(V4L2_BUF_FLAG_ERROR) != 0,
            takenMonotonic: isMonotonic ? Double(frame.seconds) * 1000 + Double(frame.microseconds) / 1000 : nil)
    }

    func withBuffer<Answer>(_ index: Int, _ use: (UnsafeRawBufferPointer) -> Answer) -> Answer? {
        guard buffers.indices.contains(index) else { return nil }
        return use(UnsafeRawBufferPointer(buffers[index]))
    }

    func setStreaming(_ isOn: Bool) throws(VideoError) {
        try check(video_stream(descriptor, isOn ? 1 : 0), isOn ? "start" : "stop")
    }

    // MARK: Controls

    func range(of control: CameraControl) -> ControlRange? {
        var description = video_control()
        guard video_describe_control(descriptor, control.rawValue, &description) == 0 else { return nil }
        let unusable = UInt32(V4L2_CTRL_FLAG_DISABLED | V4L2_CTRL_FLAG_READ_ONLY)
        guard description.flags & unusable == 0 else { return nil }
        var value: Int32 = 0
        guard video_get_control(descriptor, control.rawValue, &value) == 0 else { return nil }
        return ControlRange(
            least: description.least, most: description.most, step: max(1, description.step), value: value)
    }

    func set(_ control: CameraControl, to value: Int32) throws(VideoError) {
        try check(video_set_control(descriptor, control.rawValue, value), "set a control of")
    }
}

extension video_format {
    init(_ format: PixelFormat) {
        self.init()
        fourcc = format.code.number
        (width, height) = (UInt32(format.width), UInt32(format.height))
    }
}
