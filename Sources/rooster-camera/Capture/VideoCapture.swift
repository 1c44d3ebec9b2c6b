// Frames of a V4L2 camera: formats, buffers, and the newest picture.

import CodeReading
import Devices
import Glibc
import System

final class VideoCapture<Device: VideoDevice>: FrameSource {
    let name: String
    private let device: Device
    private let choice: FormatChoice
    private let format: PixelFormat
    private let reader: LumaReader
    private var controls: CameraControls
    /// What is not as it could be, in words.
    let warnings: [String]

    private static var buffersWanted: Int { 4 }

    var descriptor: Int32 { device.descriptor }
    var node: String { device.node }

    var intervalMilliseconds: Int { Int(1000 / max(1, choice.rate ?? 15)) }

    /// Opens the stream, in the best format for which there is room on the bus. `step` is called between what may take a while.
    init(
        _ device: Device, name: String, powerLine: PowerLine, step: () -> Void = {}
    ) throws(CaptureFailure) {
        let choices = FormatChoice.all(of: device, converts: ConvertedLuma.mayRead)
        var (opened, warnings): (Opened?, [String]) = (nil, [])
        // Beyond either there was no room on the bus.
        var (loadMax, pointsMax) = (Double.infinity, Int.max)
        var last: CaptureFailure?
        for choice in choices where opened == nil && (choice.load < loadMax || choice.points < pointsMax) {
            step()
            do throws(CaptureFailure) {
                opened = try VideoCapture.open(device, choice)
            } catch {
                last = error
                switch error.failure {
                case .noBandwidth: (loadMax, pointsMax) = (min(loadMax, choice.load), min(pointsMax, choice.points))
                case .busy, .unplugged: throw error
                default: break
                }
            }
        }
        guard let opened else { throw last ?? CaptureFailure(.noFormat(node: device.node)) }
        if pointsMax < .max {
            warnings.append(
                "the camera's USB bus is nearly full: its pictures are \(opened.format.width) × \(opened.format.height)"
            )
        }
        (self.device, self.name, self.warnings) = (device, name, warnings)
        (choice, format, reader) = (opened.choice, opened.format, opened.reader)
        controls = CameraControls()
        step()
        controls.begin(device, powerLine)
    }

    private struct Opened {
        var choice: FormatChoice
        var format: PixelFormat
        var reader: LumaReader
    }

    private static func open(_ device: Device, _ choice: FormatChoice) throws(CaptureFailure) -> Opened {
        do throws(VideoError) {
            let format = try device.setFormat(choice.format)
            if let reader = LumaReader(format, of: device.descriptor),
                Picture.isPossible(width: format.width, height: format.height)
            {
                try start(device, choice)
                return Opened(choice: choice, format: format, reader: reader)
            }
        } catch {
            device.freeBuffers()
            throw CaptureFailure(error, node: device.node)
        }
        throw CaptureFailure(.noFormat(node: device.node))
    }

    private static func start(_ device: Device, _ choice: FormatChoice) throws(VideoError) {
        // Whichever rate it has then, its frames are read.
        if let rate = choice.rate { ignore { () throws(VideoError) in try device.setRate(rate) } }
        for index in 0..<(try device.makeBuffers(buffersWanted)) { try device.queue(index) }
        try device.setStreaming(true)
    }

    private static func ignore(_ act: () throws(VideoError) -> Void) {
        do throws(VideoError) {
            try act()
        } catch {
            // What it was for is a wish.
        }
    }

    // MARK: Frames

    func newest() throws(CaptureFailure) -> TakenPicture? {
        do throws(VideoError) {
            var newest: FilledBuffer?
            // More than there are buffers are never filled.
            for _ in 0..<64 {
                guard let filled = try device.dequeue() else { break }
                if filled.isDamaged || filled.byteCount == 0 {
                    try device.queue(filled.index)
                    continue
                }
                if let older = newest { try device.queue(older.index) }
                newest = filled
            }
            guard let newest else { return nil }
            let picture = device.withBuffer(newest.index) { buffer in
                reader.picture(
                    in: UnsafeRawBufferPointer(rebasing: buffer.prefix(newest.byteCount)), format)
            }
            try device.queue(newest.index)
            guard let picture = picture ?? nil else { return nil }
            return TakenPicture(picture: picture, uptime: Uptime.milliseconds(ofMonotonic: newest.takenMonotonic))
        } catch {
            throw CaptureFailure(error, node: device.node)
        }
    }

    func adjust(to view: LensView) { controls.adjust(device, to: view) }

    func end() {
        VideoCapture.ignore { () throws(VideoError) in try device.setStreaming(false) }
        controls.restore(device)
    }
}
