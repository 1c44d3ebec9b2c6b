// How a GPIO line is wired.

/// The resistor of the chip's own that holds an input while its contact is open.
public enum Pull: String, Hashable, Sendable, CaseIterable {
    /// To the supply: the contact is between the line and ground.
    case up
    /// To ground: the contact is between the line and the supply.
    case down
    /// None: something outside holds the line, or drives it all the time.
    case none
}

/// Which level of a line means that its contact is closed, or that what it drives is on.
public enum ActiveLevel: String, Hashable, Sendable, CaseIterable {
    case low, high
}

/// An input and its wiring.
public struct LineInput: Hashable, Sendable {
    /// Which line.
    public var name: LineName
    /// What holds it.
    public var pull: Pull
    /// Its level when the contact is closed.
    public var active: ActiveLevel

    /// A contact to ground, unless it is said otherwise.
    public init(_ name: LineName, pull: Pull = .up, active: ActiveLevel = .low) {
        (self.name, self.pull, self.active) = (name, pull, active)
    }
}

/// An output and its wiring.
public struct LineOutput: Hashable, Sendable {
    /// Which line.
    public var name: LineName
    /// Its level when what it drives is on.
    public var active: ActiveLevel

    /// Something that is on while the line is high, unless it is said otherwise.
    public init(_ name: LineName, active: ActiveLevel = .high) {
        (self.name, self.active) = (name, active)
    }
}
