// The simulated V4L2 device in memory, which fails on command.

import Glibc

@testable import rooster_camera

/// A device that behaves like a driver and records the requests.
final class SimulatedVideoDevice: VideoDevice {
    struct Mode: Hashable {
        var code: FourCC
        var width: Int
        var height: Int
        var rates: [Double]
    }

    let node = "/dev/video9"
    let descriptor: Int32 = -1
    var modes: [Mode]
    /// The row length that the driver claims, if it differs from the format's.
    var rowBytes: Int?
    /// True for a format that exceeds the bandwidth.
    var tooLarge: (PixelFormat) -> Bool = { _ in false }
    /// The error number of each failing request, by its name.
    var errors: [String: Int32] = [:]
    var controls: [CameraControl: ControlRange] = [:]

    private(set) var format: PixelFormat?
    private(set) var rate: Double?
    private(set) var isStreaming = false
    private(set) var settings: [String] = []
    private var buffers: [[UInt8]] = []
    private var free: [Int] = []
    private var filled: [FilledBuffer] = []

    init(_ modes: [Mode]) { self.modes = modes }

    var queuedCount: Int { free.count }

    private func check(_ doing: String) throws(VideoError) {
        if let number = errors[doing] { throw VideoError(doing: doing, errorNumber: number) }
    }

    func formats() -> [FourCC] { modes.map(\.code).reduce(into: []) { if !$0.contains($1) { $0.append($1) } } }

    func sizes(of code: FourCC) -> [ClosedRange<FrameSize>] {
        modes.filter { $0.code == code }.map {
            let size = FrameSize(width: $0.width, height: $0.height)
            return size...size
        }
    }

    func rates(of format: PixelFormat) -> (rates: [Double], isRange: Bool) {
        let mode = modes.first { ($0.code, $0.width, $0.height) == (format.code, format.width, format.height) }
        return (mode?.rates ?? [], false)
    }

    func setFormat(_ format: PixelFormat) throws(VideoError) -> PixelFormat {
        try check("format")
        var format = format
        let bytes = [.grey, .nv12, .yu12].contains(format.code) ? 1 : 2
        format.rowBytes = rowBytes ?? format.width * bytes
        format.pictureBytes = format.rowBytes * format.height * ([.nv12, .yu12].contains(format.code) ? 3 : 2) / 2
        self.format = format
        return format
    }

    func setRate(_ rate: Double) throws(VideoError) { self.rate = rate }

    func makeBuffers(_ count: Int) throws(VideoError) -> Int {
        try check("buffers")
        buffers = Array(repeating: [UInt8](repeating: 0, count: 4 << 20), count: count)
        (free, filled) = ([], [])
        return count
    }

    func freeBuffers() { (buffers, free, filled) = ([], [], []) }

    func queue(_ index: Int) throws(VideoError) {
        try check("queue")
        free.append(index)
    }

    func dequeue() throws(VideoError) -> FilledBuffer? {
        try check("dequeue")
        return filled.isEmpty ? nil : filled.removeFirst()
    }

    func withBuffer<Answer>(_ index: Int, _ use: (UnsafeRawBufferPointer) -> Answer) -> Answer? {
        buffers[index].withUnsafeBytes(use)
    }

    func setStreaming(_ isOn: Bool) throws(VideoError) {
        if isOn, let format, tooLarge(format) { throw VideoError(doing: "stream", errorNumber: ENOSPC) }
        try check("stream")
        isStreaming = isOn
    }

    func range(of control: CameraControl) -> ControlRange? { controls[control] }

    func set(_ control: CameraControl, to value: Int32) throws(VideoError) {
        try check("control")
        controls[control]?.value = value
        settings.append("\(control) \(value)")
    }

    // MARK: Frames

    /// Fills the next free buffer, if any.
    func show(_ bytes: [UInt8], isDamaged: Bool = false, takenMonotonic: Double? = nil) {
        guard !free.isEmpty else { return }
        let index = free.removeFirst()
        buffers[index].replaceSubrange(0..<bytes.count, with: bytes)
        filled.append(
            FilledBuffer(index: index, byteCount: bytes.count, isDamaged: isDamaged, takenMonotonic: takenMonotonic))
    }
}
