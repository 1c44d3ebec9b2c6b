// Trims white space.

extension String {
    /// The text without white space at its ends.
    package var trimmed: String {
        let start = drop(while: \.isWhitespace)
        return String(start.prefix(start.count - start.reversed().prefix(while: \.isWhitespace).count))
    }

    /// The text without blanks at its ends: white space, and characters that no reader can see, such as the
    /// zero-width space. Empty if all of it is blank.
    package var withoutBlankEnds: String {
        guard first?.isBlank ?? false || last?.isBlank ?? false else { return self }
        let start = drop(while: \.isBlank)
        return String(start.prefix(start.count - start.reversed().prefix(while: \.isBlank).count))
    }
}

extension Character {
    fileprivate var isBlank: Bool {
        unicodeScalars.allSatisfy { $0.properties.isWhitespace || $0.properties.generalCategory == .format }
    }
}
