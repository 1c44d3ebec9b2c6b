// The lines of a journal and of its records, for people and for scripts.

import CivilTime
import JSON
import Journal
import Records

enum JournalLines {
    static func json(_ record: Record) -> JSON {
        var line: [JSON.Member] = [.init("sequence", .number(String(record.sequence)))]
        if let at = instant(record.millisecondsSince1970) {
            line.append(.init("at", .string(at)))
        } else {
            line.append(.init("at", .null))
            line.append(.init("milliseconds", .number(String(record.millisecondsSince1970))))
        }
        line.append(.init("kind", .number(Int(record.kind.rawValue))))
        // A later version may have written kinds that this version lacks.
        if let kind = FactKind(rawValue: record.kind.rawValue) { line.append(.init("name", .string(kind.name))) }
        do {
            // Owners send dumps to helpers, so a dump leaves out the secret key of the codes.
            let isSecret = record.kind.rawValue == FactKind.codeKeyAdded.rawValue
            let payload = try JSON(parsing: record.payload)
            line.append(.init("payload", isSecret ? .object([.init("key", .string("not shown"))]) : payload))
        } catch {
            let digits = record.payload.map { String(0x100 + Int($0), radix: 16).dropFirst() }
            line.append(.init("bytes", .string(digits.joined())))
        }
        return .object(line)
    }

    /// Returns the RFC 3339 text in UTC, to the millisecond, or nil outside the range of the calendar.
    static func instant(_ milliseconds: Int64) -> String? {
        let second = Instant(milliseconds: Int(milliseconds))
        let rest = Int(milliseconds) - second.milliseconds
        guard (0..<1000).contains(rest) else { return nil }
        return "\("\(second)".dropLast()).\("\(1000 + rest)".dropFirst())Z"
    }

    static func json(_ inspection: Inspection) -> JSON {
        .object([
            .init("files", .array(inspection.files.map { .string($0) })),
            .init("records", .number(inspection.records.count)),
            .init("last", inspection.records.last.map { .number(String($0.sequence)) } ?? .null),
            .init("torn", inspection.tornTail.map { .object(tail($0)) } ?? .null),
            .init("damage", damage(inspection.damage)),
            .init("spareDamage", damage(inspection.spareDamage)),
            .init("setAside", .array(inspection.setAside.map { .string($0) })),
        ])
    }

    private static func damage(_ damage: [Damage]) -> JSON {
        .array(damage.map { .object(place($0.file, $0.bytes) + [.init("problem", .text($0))]) })
    }

    private static func tail(_ torn: TornTail) -> [JSON.Member] {
        place(torn.file, torn.bytes) + [.init("records", .number(torn.recordCount))]
    }

    private static func place(_ file: String, _ bytes: Range<Int>) -> [JSON.Member] {
        [
            .init("file", .string(file)), .init("from", .number(bytes.lowerBound)),
            .init("until", .number(bytes.upperBound)),
        ]
    }

    static func text(_ inspection: Inspection, of path: String) -> String {
        let count = inspection.records.count
        var lines = ["\(path): \(count) \(count == 1 ? "record" : "records")"]
        if let last = inspection.records.last { lines[0] += ", the last is number \(last.sequence)" }
        lines[0] += "; \(verdict(inspection))"
        lines += inspection.damage.map { "  damage: \($0)" }
        lines += inspection.spareDamage.map { "  damage in the spare copy: \($0)" }
        if let torn = inspection.tornTail { lines.append("  torn tail: \(torn)") }
        lines += inspection.setAside.map { "  set aside: \($0)" }
        if !inspection.damage.isEmpty {
            let damaged = inspection.files.isEmpty ? "" : " and sets the damaged file aside"
            lines.append("  roosterd can start: it keeps every readable record\(damaged).")
            lines.append(
                "  Missing alarms have to be entered again. Copy the directory first, so that it can be examined.")
        }
        if !inspection.spareDamage.isEmpty {
            lines.append("  The spare copy is the file before the newest, in case the newest is damaged.")
            lines.append("  roosterd will write another. If this happens again, the disk or card is failing.")
        }
        return lines.joined(separator: "\n")
    }

    private static func verdict(_ inspection: Inspection) -> String {
        if !inspection.damage.isEmpty { return "DAMAGED" }
        if !inspection.spareDamage.isEmpty { return "none is missing, but the spare copy is DAMAGED" }
        return inspection.tornTail == nil ? "nothing is damaged" : "nothing is damaged before the torn tail"
    }
}
