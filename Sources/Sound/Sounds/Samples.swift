// A stretch of sound as numbers.

/// One channel of sound at one rate, to be played over and over.
package struct Samples: Hashable, Sendable {
    /// From -1 to 1.
    package var values: [Float]
    /// How many there are in a second.
    package var rate: Int

    package init(values: [Float], rate: Int) {
        self.values = values
        self.rate = rate
    }

    /// How long it lasts once.
    package var seconds: Double { Double(values.count) / Double(rate) }

    /// The largest value, whatever its sign.
    package var peak: Float { values.reduce(0) { max($0, abs($1)) } }
}
