// The cells of the corpus: the size of the code in the picture, and the difficulty.

package struct SpecimenCell: Hashable, Sendable, CustomStringConvertible {
    package let distance: Distance
    package let condition: Condition

    package init(distance: Distance, condition: Condition) { (self.distance, self.condition) = (distance, condition) }

    /// The distance between the camera and the code.
    package enum Distance: String, CaseIterable, Sendable {
        case far, middle, near

        /// The width of a module, in points of a picture of 640 × 480.
        var modulePoints: ClosedRange<Double> {
            switch self {
            case .far: 1.8...2.4
            case .middle: 3...4.5
            case .near: 6...9
            }
        }
    }

    /// The defect of a picture.
    package enum Condition: String, CaseIterable, Sendable {
        case nominal, blur, motion, dark, glare, perspective, rotation, inverse, compression, empty
    }

    package static let all = Distance.allCases.flatMap { distance in
        Condition.allCases.map { SpecimenCell(distance: distance, condition: $0) }
    }

    /// The cell's name, such as `far/blur`.
    package var description: String { "\(distance.rawValue)/\(condition.rawValue)" }
}
