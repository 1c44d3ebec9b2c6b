// The cells of the corpus: how large a code is in the picture, and what makes it hard to read.

/// One cell of the corpus.
package struct SpecimenCell: Hashable, Sendable, CustomStringConvertible {
    /// How far from the camera the code is held.
    package let distance: Distance
    /// What the picture suffers from.
    package let condition: Condition

    /// A cell.
    package init(distance: Distance, condition: Condition) { (self.distance, self.condition) = (distance, condition) }

    /// How far the camera is from the code.
    package enum Distance: String, CaseIterable, Sendable {
        case far, middle, near

        /// How many points of a picture of 640 × 480 a module takes.
        var modulePoints: ClosedRange<Double> {
            switch self {
            case .far: 1.8...2.4
            case .middle: 3...4.5
            case .near: 6...9
            }
        }
    }

    /// What a picture suffers from.
    package enum Condition: String, CaseIterable, Sendable {
        case nominal, blur, motion, dark, glare, perspective, rotation, inverse, compression, empty
    }

    /// Every cell, in order.
    package static let all = Distance.allCases.flatMap { distance in
        Condition.allCases.map { SpecimenCell(distance: distance, condition: $0) }
    }

    /// As in `far/blur`.
    package var description: String { "\(distance.rawValue)/\(condition.rawValue)" }
}
