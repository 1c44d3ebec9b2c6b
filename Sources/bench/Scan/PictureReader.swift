// The readers that are compared: Rooster's own, and each decoder alone.

import CodeReading
import Specimens

struct FrameReading {
    let payloads: [[UInt8]]
    let milliseconds: Double
}

/// A way to read the frames of a specimen in their order.
struct PictureReader {
    let name: String
    let isOurs: Bool
    let read: (Specimen) -> [FrameReading]

    /// Rooster's reader with its budget for a frame. Each specimen gets a new reader.
    static var ours: PictureReader {
        PictureReader(name: "ours", isOurs: true) { specimen in
            var reader = CodeReader()
            return specimen.frames.map { frame in
                let result = reader.read(frame, wanted: [.qr], budgetMilliseconds: 100)
                return FrameReading(payloads: result.codes.map(\.payload), milliseconds: result.milliseconds)
            }
        }
    }

    /// Returns a reader that runs one decoder on each frame, for QR only.
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
