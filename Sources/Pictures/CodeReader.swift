// The reader of codes: what is tried on a picture, in which order, and for how long.

import Devices

/// Reads the codes in the pictures of a camera, one after the other.
public struct CodeReader {
    private let zbar = ZbarScanner()
    private let clock = ContinuousClock()

    /// A reader that has seen no picture yet.
    public init() {}

    /// What a picture shows; only codes of the kinds that are wanted are looked for. It takes no longer than the budget, but
    /// for the step that it is at when the budget is used up.
    public mutating func read(_ picture: Picture, wanted: Set<Symbology>, budgetMilliseconds: Int) -> Reading {
        let start = clock.now
        var reading = Reading()
        var found = zbar.read(picture, wanted: wanted)
        reading.decoder = .zbar
        if found.isEmpty {
            found = ZxingScanner().read(picture, wanted: wanted)
            reading.decoder = .zxing
        }
        reading.codes = unique(found, in: picture)
        if reading.codes.isEmpty { reading.decoder = nil }
        reading.milliseconds = start.duration(to: clock.now) / .milliseconds(1)
        return reading
    }

    private func unique(_ found: [FoundCode], in picture: Picture) -> [ReadCode] {
        var codes: [ReadCode] = []
        for code in found where !code.payload.isEmpty {
            guard !codes.contains(where: { $0.symbology == code.symbology && $0.payload == code.payload }) else {
                continue
            }
            let size = min(100, code.sidePoints * 100 / min(picture.width, picture.height))
            codes.append(ReadCode(code.symbology, payload: code.payload, sizePercent: size))
        }
        return codes
    }
}
