// Who reads pictures: Rooster's reader, and each decoder alone.

import CodeReading
import Specimens

struct FrameReading {
    let payloads: [[UInt8]]
    let milliseconds: Double
}

/// A way to read the frames of a specimen, one after the other.
struct PictureReader {
    let name: String
    let isOurs: Bool
    let read: (Specimen) -> [FrameReading]

    /// Rooster's, with as much time as it has for a frame; each specimen is a camera of its own.
    static var ours: PictureReader {
        PictureReader(name: "ours", isOurs: true) { specimen in
            var reader = CodeReader()
            return specimen.frames.map { frame in
                let reading = reader.read(frame, wanted: [.qr], budgetMilliseconds: 100)
                return FrameReading(payloads: reading.codes.map(\.payload), milliseconds: reading.milliseconds)
            }
        }
    }

    /// A decoder as it is if nothing is asked of it but QR.
    static func decoder(_ name: String, _ scan: @escaping (Picture) -> [FoundCode]) -> PictureReader {
        PictureReader(name: name, isOurs: false) { specimen in
            specimen.frames.map { frame in
                let clock = ContinuousClock()
                let start = clock.now
                let codes = scan(frame)
                let milliseconds = start.duration(to: clock.now) / .milliseconds(1)
                return FrameReading(payloads: codes.map(\.payload), milliseconds: milliseconds)
            }
        }
    }

    static var all: [PictureReader] {
        let (zbar, zxing) = (ZbarScanner(invertedToo: true), ZxingScanner())
        return [
            ours, decoder("zbar") { zbar.read($0, wanted: [.qr]) },
            decoder("zxing-cpp") { zxing.read($0, wanted: [.qr]) },
        ]
    }
}
