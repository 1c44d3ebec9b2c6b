// The target of a request: its path and its query, decoded after they are split.

/// A target in origin form, such as `/api/1/codes/a%2Fb?what=status`.
struct RequestTarget {
    let path: [String]
    let query: [QueryItem]

    init(_ target: [UInt8]) throws(GateRefusal) {
        guard target.count <= HeadLimits.targetBytesMax else { throw .targetTooLong }
        guard target.first == UInt8(ascii: "/") else { throw .notOriginForm }
        let parts = target.split(separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
        let segments = parts[0].dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        let isRoot = parts[0].count == 1
        path = try (isRoot ? [] : segments).map { bytes throws(GateRefusal) in try Self.segment(bytes) }
        guard parts.count == 2 else {
            query = []
            return
        }
        query = try parts[1].split(separator: UInt8(ascii: "&")).map { item throws(GateRefusal) in
            let sides = item.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            return QueryItem(try Self.queryPart(sides[0]), sides.count == 2 ? try Self.queryPart(sides[1]) : "")
        }
    }

    /// Decodes one segment. A slash within it may separate no dot segments either.
    private static func segment(_ bytes: ArraySlice<UInt8>) throws(GateRefusal) -> String {
        guard !bytes.isEmpty else { throw .emptySegment }
        guard bytes.allSatisfy(\.isPathByte) else { throw .malformedTarget }
        let segment = try text(bytes)
        guard
            !segment.utf8.split(separator: UInt8(ascii: "/")).contains(where: {
                $0.elementsEqual(".".utf8) || $0.elementsEqual("..".utf8)
            })
        else { throw .dotSegment }
        return segment
    }

    /// Decodes a name or a value. In queries a plus sign is a space, as browsers write it.
    private static func queryPart(_ bytes: ArraySlice<UInt8>) throws(GateRefusal) -> String {
        guard bytes.allSatisfy({ $0.isPathByte || $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") })
        else { throw .malformedTarget }
        return try text(bytes.map { $0 == UInt8(ascii: "+") ? 0x20 : $0 }[...])
    }

    private static func text(_ bytes: ArraySlice<UInt8>) throws(GateRefusal) -> String {
        guard let decoded = PercentCoding.decoded(bytes) else { throw .malformedEscape }
        guard let text = String(validating: decoded, as: UTF8.self) else { throw .notUTF8 }
        guard !text.unicodeScalars.contains(where: \.isControl)
        else { throw .controlCharacter }
        return text
    }
}
