// The effects between a scene and its picture: blur, motion, glare, darkness, noise and compression.

import CTurbojpeg
import CodeReading
import Glibc

extension Raster {
    /// Blurs the light like a lens out of focus.
    mutating func blur(sigma: Double) {
        let reach = max(1, Int((3 * sigma).rounded(.up)))
        let weights = (-reach...reach).map { Float(exp(-Double($0 * $0) / (2 * sigma * sigma))) }
        let sum = weights.reduce(0, +)
        let parts = (-reach...reach).map { (offset: $0, weight: weights[$0 + reach] / sum) }
        light = gathered(parts.map { (x: $0.offset, y: 0, $0.weight) })
        light = gathered(parts.map { (x: 0, y: $0.offset, $0.weight) })
    }

    /// Smears the light over this many points, like a moving hand.
    mutating func smear(points: Double, degrees: Double) {
        let count = max(2, Int(points * 3))
        let (dx, dy) = (cos(degrees * .pi / 180), sin(degrees * .pi / 180))
        var parts: [(x: Int, y: Int, weight: Float)] = []
        for step in 0..<count {
            // The sample lies between four points; each gets a weight by its distance.
            let along = points * (Double(step) / Double(count - 1) - 0.5)
            let (x, y) = (along * dx, along * dy)
            let (left, top) = (x.rounded(.down), y.rounded(.down))
            for (column, row) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
                let weight = abs(1 - Double(column) - (x - left)) * abs(1 - Double(row) - (y - top))
                parts.append((Int(left) + column, Int(top) + row, Float(weight / Double(count))))
            }
        }
        light = gathered(parts)
    }

    private func gathered(_ parts: [(x: Int, y: Int, weight: Float)]) -> [Float] {
        var gathered = [Float](repeating: 0, count: light.count)
        for part in parts where part.weight > 0 {
            for y in 0..<Raster.height {
                let row = min(max(y + part.y, 0), Raster.height - 1) * Raster.width
                for x in 0..<Raster.width {
                    gathered[y * Raster.width + x] +=
                        part.weight * light[row + min(max(x + part.x, 0), Raster.width - 1)]
                }
            }
        }
        return gathered
    }

    /// Adds a lamp's reflection, and a gradient from one side of the picture to the other.
    mutating func glare(radius: Double, strength: Double, _ dice: inout Dice) {
        let x0 = Double(Raster.width) * dice.number(in: 0.3...0.7)
        let y0 = Double(Raster.height) * dice.number(in: 0.3...0.7)
        let slope = dice.number(in: -0.6...0.6)
        for y in 0..<Raster.height {
            for x in 0..<Raster.width {
                let square = (Double(x) - x0) * (Double(x) - x0) + (Double(y) - y0) * (Double(y) - y0)
                let side = 1 + slope * (Double(x) / Double(Raster.width) - 0.5)
                let lamp = strength * exp(-square / (2 * radius * radius)) + 0.35 * strength * exp(-square / 80_000)
                light[y * Raster.width + x] = light[y * Raster.width + x] * Float(side) + Float(lamp)
            }
        }
    }

    /// Returns the picture from a sensor. The noise's deviation is in grey levels.
    func exposed(gain: Double, noise: Double, _ dice: inout Dice) -> Picture? {
        let black: Float = 8
        let luma = light.map { point in
            let value = black + point * Float(gain) * 247 + Float(noise) * dice.normal()
            return UInt8(min(max(value.rounded(), 0), 255))
        }
        return Picture(width: Raster.width, height: Raster.height, luma: luma)
    }
}

extension Picture {
    /// Returns the picture as a JPEG file.
    package func jpeg(quality: Int) -> [UInt8]? {
        guard let handle = tjInitCompress() else { return nil }
        defer { tjDestroy(handle) }
        var bytes: UnsafeMutablePointer<UInt8>?
        var count: UInt = 0
        defer { tjFree(bytes) }
        let status = tjCompress2(
            handle, luma, Int32(width), 0, Int32(height), Int32(TJPF_GRAY.rawValue), &bytes, &count,
            Int32(TJSAMP_GRAY.rawValue), Int32(quality), 0)
        guard status == 0, let bytes else { return nil }
        return Array(UnsafeBufferPointer(start: bytes, count: Int(count)))
    }

    /// Returns the picture after compression to JPEG and back.
    func compressed(quality: Int) -> Picture? {
        jpeg(quality: quality).flatMap { bytes in
            do {
                return try Picture(file: bytes)
            } catch {
                return nil
            }
        }
    }
}
