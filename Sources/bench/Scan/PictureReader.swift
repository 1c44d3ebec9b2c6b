// Who reads pictures: Rooster's reader, and each decoder alone.

import CodeReading
import Specimens

struct FrameReading {
    let payloads: [[UInt8]]
    let milliseconds: Double
}

/// A way to read the frames of a specimen, one after the other.
protocol PictureReader {
    var name: String { get }
    func read(_ specimen: Specimen) throws -> [FrameReading]
}

/// Rooster's, with as much time as it has for a frame; each specimen is a camera of its own.
struct OurReader: PictureReader {
    let name = "ours"

    func read(_ specimen: Specimen) -> [FrameReading] {
        var reader = CodeReader()
        return specimen.frames.map { frame in
            let reading = reader.read(frame, wanted: [.qr], budgetMilliseconds: 100)
            return FrameReading(payloads: reading.codes.map(\.payload), milliseconds: reading.milliseconds)
        }
    }
}

/// zbar as it is if nothing is asked of it but QR.
struct ZbarReader: PictureReader {
    let name = "zbar"
    private let scanner = ZbarScanner(invertedToo: true)

    func read(_ specimen: Specimen) -> [FrameReading] {
        specimen.frames.map { frame in timed { scanner.read(frame, wanted: [.qr]) } }
    }
}

/// zxing-cpp as it is if nothing is asked of it but QR.
struct ZxingReader: PictureReader {
    let name = "zxing-cpp"
    private let scanner = ZxingScanner()

    func read(_ specimen: Specimen) -> [FrameReading] {
        specimen.frames.map { frame in timed { scanner.read(frame, wanted: [.qr]) } }
    }
}

private func timed(_ work: () -> [FoundCode]) -> FrameReading {
    let clock = ContinuousClock()
    let start = clock.now
    let codes = work()
    return FrameReading(payloads: codes.map(\.payload), milliseconds: start.duration(to: clock.now) / .milliseconds(1))
}
