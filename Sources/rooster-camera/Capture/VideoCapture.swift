// The frames of a V4L2 camera: formats, buffers, and the newest picture.

import CodeReading
import Devices
import Glibc
import System

struct TakenPicture {
    var picture: Picture
    /// The uptime at which the picture was taken, in milliseconds.
    var uptime: Int
}

/// The properties of a picture by which the camera's controls are adjusted.
struct LensView: Hashable {
    var uptime: Int
    var isDark: Bool
    var hasCode: Bool
}

/// An open camera that streams. A failure ends the program, and the next run opens the camera again.
final class VideoCapture {
    /// The name by which the owner knows the camera.
    let name: String
    private let device: any VideoDevice
    private let choice: FormatChoice
    private let format: PixelFormat
    private let reader: LumaReader
    private var controls: CameraControls
    /// Limitations of the camera to report to the owner.
    let warnings: [String]

    private static let buffersWanted = 4

    /// The descriptor, readable when there is a frame. It is the only one that may be controlled in the
    /// sandbox.
    var descriptor: Int32 { device.descriptor }
    var node: String { device.node }

    /// The interval between frames, by the camera.
    var intervalMilliseconds: Int { Int(1000 / max(1, choice.rate ?? 15)) }

    /// Opens the stream in the best format for which the bus has bandwidth. `step` is called between slow
    /// steps.
    init(
        _ device: any VideoDevice, name: String, powerLine: PowerLine, step: () -> Void = {}
    ) throws(CameraFailure) {
        let choices = FormatChoice.all(of: device, converts: ConvertedLuma.mayRead)
        var (opened, warnings): (Opened?, [String]) = (nil, [])
        // The load and size of the smallest format that the bus had no bandwidth for.
        var (loadMax, pointsMax) = (Double.infinity, Int.max)
        var last: CameraFailure?
        for choice in choices where opened == nil && (choice.load < loadMax || choice.points < pointsMax) {
            step()
            do throws(CameraFailure) {
                opened = try VideoCapture.open(device, choice)
            } catch {
                last = error
                switch error {
                case .noBandwidth: (loadMax, pointsMax) = (min(loadMax, choice.load), min(pointsMax, choice.points))
                case .busy, .unplugged: throw error
                default: break
                }
            }
        }
        guard let opened else { throw last ?? .noFormat(node: device.node) }
        if pointsMax < .max {
            warnings.append(
                "The camera's USB bus is nearly full, so its pictures are only "
                    + "\(opened.format.width) × \(opened.format.height)"
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

    private static func open(_ device: any VideoDevice, _ choice: FormatChoice) throws(CameraFailure) -> Opened {
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
            throw CameraFailure(error, node: device.node)
        }
        throw .noFormat(node: device.node)
    }

    private static func start(_ device: any VideoDevice, _ choice: FormatChoice) throws(VideoError) {
        // The rate is optional: frames are read at any rate.
        if let rate = choice.rate { ignore { () throws(VideoError) in try device.setRate(rate) } }
        for index in 0..<(try device.makeBuffers(buffersWanted)) { try device.queue(index) }
        try device.setStreaming(true)
    }

    private static func ignore(_ act: () throws(VideoError) -> Void) {
        do throws(VideoError) {
            try act()
        } catch {
            // The request is optional.
        }
    }

    // MARK: Frames

    /// Returns the newest intact picture, if any. Older ones are dropped.
    func newest() throws(CameraFailure) -> TakenPicture? {
        do throws(VideoError) {
            var newest: FilledBuffer?
            // A bound on the loop. No driver has as many buffers.
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
            throw CameraFailure(error, node: device.node)
        }
    }

    /// Adjusts light and focus to the last picture.
    func adjust(to view: LensView) { controls.adjust(device, to: view) }

    /// Restores the camera's controls, and releases the camera.
    func end() {
        VideoCapture.ignore { () throws(VideoError) in try device.setStreaming(false) }
        controls.restore(device)
    }
}

extension Uptime {
    /// Converts a frame's CLOCK_MONOTONIC time to uptime; a missing or future time becomes now. An old time
    /// stays old. If a frame has waited while this program stood still, it does not show the present.
    static func milliseconds(ofMonotonic taken: Double?) -> Int {
        let (now, monotonic) = (now, Double(kernelNanoseconds(CLOCK_MONOTONIC)) / 1_000_000)
        guard let taken, taken > 0, taken <= monotonic else { return Int(now) }
        return Int(now - (monotonic - taken))
    }
}

extension CameraFailure {
    /// The failure of a request to an open node.
    init(_ error: VideoError, node: String) {
        self =
            switch error.errorNumber {
            case ENODEV, ENOTTY, ENXIO, EIO, ESHUTDOWN, EPROTO: .unplugged(node: node)
            case EBUSY: .busy(node: node)
            case ENOSPC: .noBandwidth(node: node)
            default: .system(doing: error.doing, errorNumber: error.errorNumber)
            }
    }

    init(opening error: VideoError, node: String) {
        switch error.errorNumber {
        case EACCES, EPERM: self = .noAccess(node: node, group: groupWithAccess(to: node))
        case ENOENT: self = .none
        default: self.init(error, node: node)
        }
    }
}
