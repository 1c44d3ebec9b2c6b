// The scene as light on a sensor: a wall with objects, and a sheet with a code in front.

import CodeSheets
import Glibc

/// The light on each point, 0 to 1.
struct Raster {
    static let (width, height) = (ViewOfCode.width, ViewOfCode.height)
    var light: [Float]

    /// Draws the wall, and the sheet if there is a code.
    init(of symbol: QRSymbol?, _ view: ViewOfCode, _ dice: inout Dice) {
        light = Raster.wall(&dice)
        if let symbol { draw(symbol, view, ink: Float(dice.number(in: 0.06...0.2)), &dice) }
    }

    /// Returns a wall with slow shading, objects with sharp edges, and an object with stripes.
    private static func wall(_ dice: inout Dice) -> [Float] {
        let cell = 40
        let columns = width / cell + 2
        let shades = (0..<columns * (height / cell + 2)).map { _ in Float(dice.number(in: 0.25...0.7)) }
        var light = [Float](repeating: 0, count: width * height)
        for y in 0..<height {
            for x in 0..<width {
                let (column, row) = (x / cell, y / cell)
                let (right, down) = (Float(x % cell) / Float(cell), Float(y % cell) / Float(cell))
                let index = row * columns + column
                let top = shades[index] * (1 - right) + shades[index + 1] * right
                let bottom = shades[index + columns] * (1 - right) + shades[index + columns + 1] * right
                light[y * width + x] = top * (1 - down) + bottom * down
            }
        }
        for _ in 0..<30 {
            let (left, top) = (dice.below(width), dice.below(height))
            let (right, bottom) = (min(width, left + 4 + dice.below(120)), min(height, top + 4 + dice.below(90)))
            let (shade, stripe) = (Float(dice.number(in: 0.1...0.9)), 2 + dice.below(9))
            let isStriped = dice.below(3) == 0
            for y in top..<bottom {
                for x in left..<right where !isStriped || (x / stripe + y / (3 * stripe)) % 2 == 0 {
                    light[y * width + x] = shade
                }
            }
        }
        return light
    }

    private mutating func draw(_ symbol: QRSymbol, _ view: ViewOfCode, ink: Float, _ dice: inout Dice) {
        let quiet = 4.0
        let half = Double(symbol.side) / 2
        let matrix = view.toSheet(sheetModules: Double(symbol.side) + 2 * quiet)
        let paper = Float(dice.number(in: 0.75...0.95))
        let fine = 3
        for y in 0..<Raster.height {
            for x in 0..<Raster.width {
                var sum: Float = 0
                for part in 0..<fine * fine {
                    let px = Double(x) + (Double(part % fine) + 0.5) / Double(fine)
                    let py = Double(y) + (Double(part / fine) + 0.5) / Double(fine)
                    let depth = matrix[6] * px + matrix[7] * py + matrix[8]
                    let u = (matrix[0] * px + matrix[1] * py + matrix[2]) / depth + half
                    let v = (matrix[3] * px + matrix[4] * py + matrix[5]) / depth + half
                    // A strongly tilted sheet has points behind the camera.
                    guard u > -quiet, v > -quiet, u < 2 * half + quiet, v < 2 * half + quiet else {
                        sum += light[y * Raster.width + x]
                        continue
                    }
                    let isWithin = u >= 0 && v >= 0 && u < 2 * half && v < 2 * half
                    let isDark = isWithin && symbol.isDark(column: Int(u), row: Int(v))
                    sum += isDark != view.isInverse ? ink : paper
                }
                light[y * Raster.width + x] = sum / Float(fine * fine)
            }
        }
    }
}
