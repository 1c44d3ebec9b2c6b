// A V4L2 node, by the kernel's requests.

import CVideo
import Glibc

/// An open node. It owns the descriptor and the mapped buffers.
final class VideoNode: VideoDevice {
    let node: String
    let descriptor: Int32
    let driver: String
    let card: String
    private let capabilities: UInt32
    private var buffers: [UnsafeMutableRawBufferPointer] = []

    /// The bound on a driver's list, in case the list has no end.
    private static let choicesMax: UInt32 = 64
    private static let capture = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue

    /// Opens a node without changing it. Other programs may still open the node.
    init(_ node: String) throws(VideoError) {
        descriptor = Glibc.open(node, O_RDWR | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw VideoError(doing: "open \(node)", errorNumber: errno) }
        self.node = node
        var about = v4l2_capability()
        let answer = video_ask(descriptor, video_describe, &about)
        let number = errno
        driver = VideoNode.text(about.driver)
        card = VideoNode.text(about.card)
        // The capabilities of this node, and not those of the device that it belongs to.
        let isOwn = about.capabilities & UInt32(V4L2_CAP_DEVICE_CAPS) != 0
        capabilities = isOwn ? about.device_caps : about.capabilities
        guard answer == 0 else { throw VideoError(doing: "identify \(node)", errorNumber: number) }
    }

    deinit {
        unmap()
        close(descriptor)
    }

    /// True if the node captures pictures and accepts none: a converter is no camera.
    var isCapture: Bool {
        let wanted = UInt32(V4L2_CAP_VIDEO_CAPTURE) | UInt32(V4L2_CAP_STREAMING)
        return capabilities & wanted == wanted
            && capabilities & UInt32(V4L2_CAP_VIDEO_OUTPUT | V4L2_CAP_VIDEO_M2M) == 0
    }

    /// True if the node is part of a pipeline that only libcamera can set up.
    var isPartOfPipeline: Bool { capabilities & 0x2000_0000 != 0 }

    private static func text<Bytes>(_ bytes: Bytes) -> String {
        withUnsafeBytes(of: bytes) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }

    /// Makes a request of the node. Returns whether it succeeds; if not, `errno` has the reason.
    private func ask<Argument>(_ request: UInt, _ argument: inout Argument) -> Bool {
        withUnsafeMutablePointer(to: &argument) { video_ask(descriptor, request, $0) } == 0
    }

    private func ask<Argument>(
        _ request: UInt, _ argument: inout Argument, to doing: String
    ) throws(VideoError) {
        guard !ask(request, &argument) else { return }
        throw VideoError(doing: "\(doing) \(node)", errorNumber: errno)
    }

    // MARK: Formats

    func formats() -> [FourCC] {
        var formats: [FourCC] = []
        for index in 0..<VideoNode.choicesMax {
            var format = v4l2_fmtdesc()
            (format.index, format.type) = (index, VideoNode.capture)
            guard ask(video_list_formats, &format) else { break }
            formats.append(FourCC(number: format.pixelformat))
        }
        return formats
    }

    func sizes(of code: FourCC) -> [ClosedRange<FrameSize>] {
        var sizes: [ClosedRange<FrameSize>] = []
        for index in 0..<VideoNode.choicesMax {
            var size = v4l2_frmsizeenum()
            (size.index, size.pixel_format) = (index, code.number)
            guard ask(video_list_sizes, &size) else { break }
            guard size.type != V4L2_FRMSIZE_TYPE_DISCRETE.rawValue else {
                let only = FrameSize(width: Int(size.discrete.width), height: Int(size.discrete.height))
                sizes.append(only...only)
                continue
            }
            let least = FrameSize(width: Int(size.stepwise.min_width), height: Int(size.stepwise.min_height))
            let most = FrameSize(width: Int(size.stepwise.max_width), height: Int(size.stepwise.max_height))
            if least <= most { sizes.append(least...most) }
            break
        }
        return sizes
    }

    func rates(of format: PixelFormat) -> (rates: [Double], isRange: Bool) {
        var rates: [Double] = []
        for index in 0..<VideoNode.choicesMax {
            var interval = v4l2_frmivalenum()
            (interval.index, interval.pixel_format) = (index, format.code.number)
            (interval.width, interval.height) = (UInt32(format.width), UInt32(format.height))
            guard ask(video_list_intervals, &interval) else { break }
            let isRange = interval.type != V4L2_FRMIVAL_TYPE_DISCRETE.rawValue
            let shortest = isRange ? interval.stepwise.min : interval.discrete
            if shortest.numerator > 0 { rates.append(Double(shortest.denominator) / Double(shortest.numerator)) }
            if isRange { return (rates, true) }
        }
        return (rates, false)
    }

    func setFormat(_ format: PixelFormat) throws(VideoError) -> PixelFormat {
        var asked = v4l2_format()
        asked.type = VideoNode.capture
        asked.fmt.pix.pixelformat = format.code.number
        (asked.fmt.pix.width, asked.fmt.pix.height) = (UInt32(format.width), UInt32(format.height))
        asked.fmt.pix.field = V4L2_FIELD_ANY.rawValue
        try ask(video_set_format, &asked, to: "set the format of")
        let given = asked.fmt.pix
        return PixelFormat(
            code: FourCC(number: given.pixelformat), width: Int(given.width), height: Int(given.height),
            rowBytes: Int(given.bytesperline), pictureBytes: Int(given.sizeimage))
    }

    func setRate(_ rate: Double) throws(VideoError) {
        var parameters = v4l2_streamparm()
        parameters.type = VideoNode.capture
        parameters.parm.capture.timeperframe =
            v4l2_fract(numerator: 1000, denominator: UInt32((rate * 1000).rounded()))
        try ask(video_set_parameters, &parameters, to: "set the rate of")
    }

    // MARK: Buffers

    func makeBuffers(_ count: Int) throws(VideoError) -> Int {
        var request = VideoNode.request(count)
        try ask(video_request_buffers, &request, to: "request buffers of")
        for index in 0..<request.count {
            var buffer = VideoNode.buffer(index)
            try ask(video_find_buffer, &buffer, to: "find a buffer of")
            let bytes = Int(buffer.length)
            let start = mmap(nil, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, Int(buffer.m.offset))
            guard let start, start != MAP_FAILED else {
                throw VideoError(doing: "map a buffer of \(node)", errorNumber: errno)
            }
            buffers.append(UnsafeMutableRawBufferPointer(start: start, count: bytes))
        }
        return Int(request.count)
    }

    func freeBuffers() {
        unmap()
        var none = VideoNode.request(0)
        // A node that was unplugged has no buffers.
        _ = ask(video_request_buffers, &none)
    }

    private func unmap() {
        for buffer in buffers { munmap(buffer.baseAddress, buffer.count) }
        buffers = []
    }

    private static func request(_ count: Int) -> v4l2_requestbuffers {
        var request = v4l2_requestbuffers()
        (request.count, request.type, request.memory) = (UInt32(count), capture, V4L2_MEMORY_MMAP.rawValue)
        return request
    }

    private static func buffer(_ index: UInt32 = 0) -> v4l2_buffer {
        var buffer = v4l2_buffer()
        (buffer.index, buffer.type, buffer.memory) = (index, capture, V4L2_MEMORY_MMAP.rawValue)
        return buffer
    }

    func queue(_ index: Int) throws(VideoError) {
        var buffer = VideoNode.buffer(UInt32(index))
        try ask(video_queue_buffer, &buffer, to: "return a buffer to")
    }

    func dequeue() throws(VideoError) -> FilledBuffer? {
        var frame = VideoNode.buffer()
        guard ask(video_dequeue_buffer, &frame) else {
            if errno == EAGAIN { return nil }
            throw VideoError(doing: "read a frame of \(node)", errorNumber: errno)
        }
        let isMonotonic =
            frame.flags & UInt32(V4L2_BUF_FLAG_TIMESTAMP_MASK) == UInt32(V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC)
        let taken = frame.timestamp
        return FilledBuffer(
            index: Int(frame.index), byteCount: Int(frame.bytesused),
            isDamaged: frame.flags & UInt32(V4L2_BUF_FLAG_ERROR) != 0,
            takenMonotonic: isMonotonic ? Double(taken.tv_sec) * 1000 + Double(taken.tv_usec) / 1000 : nil)
    }

    func withBuffer<Answer>(_ index: Int, _ use: (UnsafeRawBufferPointer) -> Answer) -> Answer? {
        guard buffers.indices.contains(index) else { return nil }
        return use(UnsafeRawBufferPointer(buffers[index]))
    }

    func setStreaming(_ isOn: Bool) throws(VideoError) {
        var type = Int32(VideoNode.capture)
        try ask(isOn ? video_start : video_stop, &type, to: isOn ? "start" : "stop")
    }

    // MARK: Controls

    func range(of control: CameraControl) -> ControlRange? {
        var description = v4l2_queryctrl()
        description.id = control.rawValue
        guard ask(video_describe_control, &description) else { return nil }
        let unusable = UInt32(V4L2_CTRL_FLAG_DISABLED | V4L2_CTRL_FLAG_READ_ONLY)
        guard description.flags & unusable == 0 else { return nil }
        var current = v4l2_control(id: control.rawValue, value: 0)
        guard ask(video_get_control, &current) else { return nil }
        return ControlRange(
            least: description.minimum, most: description.maximum, step: max(1, description.step), value: current.value)
    }

    func set(_ control: CameraControl, to value: Int32) throws(VideoError) {
        var wanted = v4l2_control(id: control.rawValue, value: value)
        try ask(video_set_control, &wanted, to: "set a control of")
    }
}
