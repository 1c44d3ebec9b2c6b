// Trims white space.

extension String {
    /// The text without white space at its ends.
    package var trimmed: String {
        let start = drop(while: \.isWhitespace)
        return String(start.prefix(start.count - start.reversed().prefix(while: \.isWhitespace).count))
    }
}
