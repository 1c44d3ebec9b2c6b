// Server-sent events as bytes (the format is in the HTML standard, section 9.2).

/// One event of a stream.
package struct ServerSentEvent: Hashable, Sendable {
    /// The position that a client sends as Last-Event-ID after a break. An event without one leaves the
    /// client's position as it was.
    package var id: String?
    package var event: String?
    package var data: String
    /// The wait before the client connects again.
    package var retryMilliseconds: Int?

    package init(_ event: String? = nil, data: String, id: String? = nil, retryMilliseconds: Int? = nil) {
        self.event = event
        self.data = data
        self.id = id
        self.retryMilliseconds = retryMilliseconds
    }

    package var bytes: [UInt8] {
        var text = ""
        // A NUL would make browsers ignore the id. A line end would begin a field of its own.
        if let id { text += "id: \(id.withoutBreaks)\n" }
        if let event { text += "event: \(event.withoutBreaks)\n" }
        if let retryMilliseconds { text += "retry: \(retryMilliseconds)\n" }
        for line in Self.lines(data) { text += "data: \(line)\n" }
        return Array("\(text)\n".utf8)
    }

    /// Returns a line that clients ignore. It keeps a connection alive, and shows which clients are gone.
    package static func comment(_ text: String = "") -> [UInt8] {
        Array((lines(text).map { ": \($0)\n" }.joined() + "\n").utf8)
    }

    /// Splits at each of the three line ends of the format. `Character` takes CR LF for one of them.
    private static func lines(_ text: String) -> [Substring] {
        text.split(omittingEmptySubsequences: false) { $0 == "\r\n" || $0 == "\n" || $0 == "\r" }
    }
}

extension String {
    fileprivate var withoutBreaks: String {
        String(String.UnicodeScalarView(unicodeScalars.filter { !["\0", "\n", "\r"].contains($0) }))
    }
}
