// A stretch of sound as numbers.

/// One channel of sound at one rate, to be played over and over.
public struct Samples: Hashable, Sendable {
    /// From -1 to 1.
    public var values: [Float]
    /// How many there are in a second.
    public var rate: Int

    /// Sound made of these values.
    public init(values: [Float], rate: Int) {
        self.values = values
        self.rate = rate
    }

    /// How long it lasts once.
    public var seconds: Double { Double(values.count) / Double(rate) }

    /// The largest value, whatever its sign.
    public var peak: Float { values.reduce(0) { max($0, abs($1)) } }
}
