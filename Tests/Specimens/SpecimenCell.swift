// The cells of the corpus: how large a code is in the picture, and what makes it hard to read.

/// One cell of the corpus.
public struct SpecimenCell: Hashable, Sendable, CustomStringConvertible {
    /// How far from the camera the code is held.
    public let distance: Distance
    /// What the picture suffers from.
    public let condition: Condition

    /// A cell.
    public init(distance: Distance, condition: Condition) { (self.distance, self.condition) = (distance, condition) }

    /// How far the camera is from the code.
    public enum Distance: String, CaseIterable, Sendable {
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
    public enum Condition: String, CaseIterable, Sendable {
        case nominal, blur, motion, dark, glare, perspective, rotation, inverse, compression, empty
    }

    /// Every cell, in order.
    public static let all = Distance.allCases.flatMap { distance in
        Condition.allCases.map { SpecimenCell(distance: distance, condition: $0) }
    }

    /// As in `far/blur`.
    public var description: String { "\(distance.rawValue)/\(condition.rawValue)" }
}
