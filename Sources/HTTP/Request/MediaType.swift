// The headers that describe the form of a body: its type, and the compressions that a client accepts.

/// A media type such as `application/json`, with its character set.
package struct MediaType: Hashable, Sendable, CustomStringConvertible {
    /// Type and subtype in lower case.
    package let name: String
    /// The `charset` parameter in lower case. Other parameters are dropped.
    package let charset: String?

    package static let json = MediaType("application/json")
    package static let problem = MediaType("application/problem+json")
    package static let events = MediaType("text/event-stream")

    package init(_ name: String, charset: String? = nil) { (self.name, self.charset) = (name, charset) }

    /// Reads a Content-Type header. Returns nil if it is malformed.
    init?(parsing text: String) {
        let parts = text.split(separator: ";", omittingEmptySubsequences: false).map {
            $0.trimmingSpaces.asciiLowercased
        }
        let names = parts[0].split(separator: "/", omittingEmptySubsequences: false)
        guard names.count == 2, names.allSatisfy({ $0.utf8.isToken }) else { return nil }
        var charset: String?
        for part in parts.dropFirst() {
            guard let equals = part.firstIndex(of: "=") else { return nil }
            guard part[..<equals] == "charset" else { continue }
            guard charset == nil else { return nil }
            var value = part[part.index(after: equals)...]
            if value.count > 1, value.first == "\"", value.last == "\"" { value = value.dropFirst().dropLast() }
            charset = String(value)
        }
        self.init(parts[0], charset: charset)
    }

    /// True for JSON in UTF-8, the only form of JSON.
    package var isJSON: Bool { name == "application/json" && (charset ?? "utf-8") == "utf-8" }

    package var description: String { charset.map { "\(name); charset=\($0)" } ?? name }
}

/// Compressions of a response.
package struct ContentCodings: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let gzip = ContentCodings(rawValue: 1)
    package static let brotli = ContentCodings(rawValue: 2)

    /// Reads the Accept-Encoding headers. An element that is malformed accepts nothing.
    init(accepting values: [String]) {
        var accepted: [String: Bool] = [:]
        for element in values.flatMap({ $0.split(separator: ",") }) {
            let parts = element.split(separator: ";", omittingEmptySubsequences: false).map {
                $0.trimmingSpaces.asciiLowercased
            }
            guard parts.count <= 2 else { continue }
            accepted[parts[0]] = parts.count == 1 || Self.isPositive(weight: parts[1])
        }
        let others = accepted["*"] ?? false
        self = []
        if accepted["gzip"] ?? others { insert(.gzip) }
        if accepted["br"] ?? others { insert(.brotli) }
    }

    /// Reads `q=0.5`: at most three decimals, at most 1.
    private static func isPositive(weight: String) -> Bool {
        let digits = Array(weight.utf8.dropFirst(2))
        guard weight.hasPrefix("q="), (1...5).contains(digits.count), digits.count != 2 || digits[1] == 0x2E,
            digits.enumerated().allSatisfy({ $0.offset == 1 ? $0.element == 0x2E : (0x30...0x39).contains($0.element) }
            ),
            digits[0] <= 0x31
        else { return false }
        let hasDecimals = digits.dropFirst(2).contains { $0 != 0x30 }
        return digits[0] == 0x31 ? !hasDecimals : hasDecimals
    }
}
