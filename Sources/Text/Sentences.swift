// The sentences of a message: their capital letters and full stops.

extension String {
    /// The text with a capital letter at its beginning.
    package var capitalisedFirst: String { prefix(1).uppercased() + dropFirst() }
}

extension Sequence<String> {
    /// One text, without empty sentences. A single sentence has no full stop, and each of several has one.
    package var asSentences: String {
        let sentences = filter { !$0.isEmpty }
        guard sentences.count > 1 else { return sentences.first ?? "" }
        return sentences.map { ".?…".contains($0.last ?? ".") ? $0 : "\($0)." }.joined(separator: " ")
    }
}
