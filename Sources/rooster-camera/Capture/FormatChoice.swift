// The order in which a camera's formats are tried.

import CodeReading

/// A format and rate to request from a camera.
///
/// 1280 × 720 at the lowest rate of at least 15 frames a second reads a code of 5 cm from a metre away. It
/// leaves a Raspberry Pi 3 66 ms for a frame, of which unpacking takes 12 and a reader 40. Rate comes before
/// size: the code is held by hand.
struct FormatChoice: Hashable {
    var format: PixelFormat
    /// The rate; nil if the driver names none.
    var rate: Double?
    private var cost: Double

    private static let wantedPoints = 1280.0 * 720
    private static let wantedRate = 15.0
    private static let leastRate = 10.0
    /// The sizes to request if the driver names none.
    private static let usual = [FrameSize(width: 1280, height: 720), FrameSize(width: 640, height: 480)]

    /// The cost of getting luma: nothing, a stride, unpacking.
    private static let costs: [FourCC: Double] = [
        .grey: 0, .nv12: 0.05, .yu12: 0.05, .yuyv: 0.1, .uyvy: 0.1, .motionJPEG: 0.2, .jpeg: 0.25,
    ]
    private static let convertedCost = 0.5

    /// Returns all formats of a camera that can be read, the best first.
    static func all(of device: some VideoDevice, converts: (FourCC) -> Bool) -> [FormatChoice] {
        var choices: [FormatChoice] = []
        for code in device.formats() {
            guard let cost = costs[code] ?? (converts(code) ? convertedCost : nil) else { continue }
            for size in sizes(of: code, device) where Picture.isPossible(width: size.width, height: size.height) {
                let format = PixelFormat(code: code, width: size.width, height: size.height)
                let rate = rate(of: format, device)
                choices.append(FormatChoice(format: format, rate: rate, cost: cost + FormatChoice.cost(size, rate)))
            }
        }
        return choices.sorted { $0.cost < $1.cost }
    }

    private static func sizes(of code: FourCC, _ device: some VideoDevice) -> [FrameSize] {
        let ranges = device.sizes(of: code)
        guard !ranges.isEmpty else { return usual }
        return ranges.flatMap { range in
            range.lowerBound == range.upperBound
                ? [range.lowerBound]
                : usual.filter(range.contains) + (range.contains(usual[1]) ? [] : [range.upperBound])
        }
    }

    private static func rate(of format: PixelFormat, _ device: some VideoDevice) -> Double? {
        let (rates, isRange) = device.rates(of: format)
        guard let most = rates.max() else { return nil }
        if isRange { return min(most, wantedRate) }
        return rates.filter { $0 >= wantedRate - 0.1 }.min() ?? most
    }

    private static func cost(_ size: FrameSize, _ rate: Double?) -> Double {
        let rate = rate ?? wantedRate
        let slowness = rate >= wantedRate - 0.1 ? 0.0 : rate >= leastRate - 0.1 ? 2 : 4
        let points = Double(size.points) / wantedPoints
        // A frame that is too large costs time; one that is too small only costs reach.
        return slowness + (points > 1 ? 2 * (points - 1) : (1 / points - 1).squareRoot())
    }

    var points: Int { format.width * format.height }

    /// The estimated load on the bus, for comparison. A compressed format takes about a quarter.
    var load: Double {
        let bits: Double =
            switch format.code {
            case .grey: 8
            case .nv12, .yu12: 12
            case .motionJPEG, .jpeg: 4
            default: 16
            }
        return Double(points) * bits * (rate ?? FormatChoice.wantedRate)
    }
}
