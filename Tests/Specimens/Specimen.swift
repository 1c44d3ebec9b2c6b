// The pictures of one specimen, made from a seed and the same in every run.

import CodeReading
import CodeSheets

/// The frames of a camera and the payload that the reader should find.
package struct Specimen: Sendable {
    /// The code's payload, or nil if the scene has no code.
    package let payload: [UInt8]?
    /// Consecutive frames, with the camera and the code held still.
    package let frames: [Picture]

    /// Makes the specimen with that number in a cell.
    package init(_ cell: SpecimenCell, number: Int) throws {
        var dice = Dice(seed: "\(cell) \(number)")
        let payload = cell.condition == .empty ? nil : Specimen.payload(&dice)
        var view = ViewOfCode(modulePoints: dice.number(in: cell.distance.modulePoints))
        view.turnDegrees = dice.number(in: cell.condition == .rotation ? 0...360 : -6...6)
        view.tiltDegrees = dice.number(in: cell.condition == .perspective ? 35...62 : 0...8)
        view.tiltTowardsDegrees = dice.number(in: 0...360)
        view.isInverse = cell.condition == .inverse
        view.shiftX = dice.number(in: -0.8...0.8)
        view.shiftY = dice.number(in: -0.8...0.8)
        let scene = Raster(of: try payload.map(QRSymbol.init), view, &dice)
        self.payload = payload
        frames = Specimen.frames(scene, cell.condition, view.modulePoints, &dice).compactMap { $0 }
    }

    /// Returns a payload like Rooster's own or like the web address on a product.
    private static func payload(_ dice: inout Dice) -> [UInt8] {
        let isOurs = dice.number(in: 0...1) < 0.6
        let letters = Array(
            (isOurs ? "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567" : "abcdefghijklmnopqrstuvwxyz0123456789/.-").utf8)
        let count = isOurs ? 26 : Int(dice.number(in: 12...60))
        return (isOurs ? [] : Array("https://".utf8)) + (0..<count).map { _ in letters[dice.below(letters.count)] }
    }

    private static func frames(
        _ scene: Raster, _ condition: SpecimenCell.Condition, _ module: Double, _ dice: inout Dice
    ) -> [Picture?] {
        var scene = scene
        switch condition {
        case .nominal, .perspective, .rotation, .inverse:
            return [scene.exposed(gain: dice.number(in: 0.75...1), noise: 3, &dice)]
        case .empty:
            return [scene.exposed(gain: dice.number(in: 0.4...1), noise: dice.number(in: 2...8), &dice)]
        case .blur:
            scene.blur(sigma: module * dice.number(in: 0.35...0.85))
            return [scene.exposed(gain: 0.9, noise: 3, &dice)]
        case .motion:
            scene.smear(points: module * dice.number(in: 0.8...2.2), degrees: dice.number(in: 0...180))
            return [scene.exposed(gain: 0.9, noise: 3, &dice)]
        case .dark:
            let (gain, noise) = (dice.number(in: 0.05...0.16), dice.number(in: 3...8))
            scene.blur(sigma: module * 0.2)
            return (0..<4).map { _ in scene.exposed(gain: gain, noise: noise, &dice) }
        case .glare:
            scene.glare(radius: module * dice.number(in: 6...14), strength: dice.number(in: 0.6...1.6), &dice)
            return [scene.exposed(gain: dice.number(in: 0.6...0.9), noise: 3, &dice)]
        case .compression:
            let picture = scene.exposed(gain: 0.9, noise: 3, &dice)
            return [picture?.compressed(quality: 3 + dice.below(18))]
        }
    }
}
