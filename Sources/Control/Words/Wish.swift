// What a line from outside asks for.

import Alarms
import CivilTime
import Devices
import Engine
import JSON
import Text

/// Something that somebody wants of a Rooster: to be told something, or to have something done.
enum Wish: Sendable {
    case status
    case follow
    case question(Question)
    case doctor(isLoud: Bool)
    case preview
    case printCode(CodePayload)
    case save(JSON)
    case edit(Alarm.ID, changes: JSON)
    case configure(changes: JSON)
    case calendar(String, JSON)
    case restore(AlarmsFileReading, isBackup: Bool)
    case order(Command)
    case simulate(JSON)
}

/// A line that was understood, and what it says of itself.
struct Line: Sendable {
    var wish: Wish
    /// By what it is known if it comes again.
    var id: String?
    /// The ring that its sender means.
    var meant: Occurrence?
}

/// Why a line was not understood.
struct Malformed: Error {
    var words: String
}

extension Line {
    /// Reads a line.
    init(_ bytes: [UInt8]) throws(Malformed) {
        let json: JSON
        do throws(JSONSyntaxError) {
            json = try JSON(parsing: bytes)
        } catch {
            throw Malformed(words: "This is no JSON: \(error)")
        }
        guard case .object(let members) = json else { throw Malformed(words: "A request is an object { … }") }
        var fields = Fields(members, at: "")
        let name = fields.text("do")
        guard let name else { throw Malformed(words: "\"do\" is missing: it says what is wanted") }
        guard let read = Line.wishes[name] else {
            let near = Line.wishes.keys.sorted().first(where: name.isNearly).map { ": did you mean \"\($0)\"?" }
            throw Malformed(words: "\"do\": nobody knows \(name.quoted)\(near ?? "")")
        }
        id = fields.text("id")
        // Whoever says which ring is meant must not end another.
        meant = fields.object("meant") { Occurrence(meantBy: &$0) } ?? nil
        let wish = read(&fields)
        for member in fields.unknown() { fields.note(member.name, "means nothing here") }
        let problems = fields.problems.filter { $0.weight == .refused }
        guard let wish, problems.isEmpty else {
            throw Malformed(words: problems.map(\.description).joined(separator: "; "))
        }
        guard id.map({ !$0.isEmpty && $0.utf8.count <= Line.idBytesMax }) ?? true else {
            throw Malformed(words: "\"id\" must have 1 to \(Line.idBytesMax) bytes")
        }
        // Somebody else may call something else by the same name.
        id = id.map { "\($0) \(Line.mark(of: bytes))" }
        self.wish = wish
    }

    private static let idBytesMax = 200

    /// What tells a line from others (FNV-1a).
    private static func mark(of bytes: [UInt8]) -> UInt64 {
        bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
    }

    /// How each thing that can be wanted is read. Nothing comes of one that is noted as unreadable.
    private static let wishes: [String: @Sendable (inout Fields) -> Wish?] = [
        "status": { _ in .status },
        "follow": { _ in .follow },
        "alarms": { _ in .question(.alarms) },
        "alarm": { $0.alarm().map { .question(.alarm($0)) } },
        "settings": { _ in .question(.settings) },
        "calendars": { _ in .question(.calendars) },
        "history": { .question(.history(days: $0.integer("days"))) },
        "export": { _ in .question(.export) },
        "doctor": { .doctor(isLoud: $0.bool("loud") ?? false) },
        "codes": { _ in .question(.codes) },
        "enrol": { fields in
            let kind = fields.codeKind()
            return fields.label().map { .order(.look(.enrol(label: $0, kind: kind))) }
        },
        "testCode": { _ in .order(.look(.test)) },
        "cancel": { _ in .order(.cancelLook) },
        "forgetCode": { $0.label().map { .order(.forget($0)) } },
        "preview": { _ in .preview },
        "printCode": { fields in
            // The fingerprint of an arbitrary payload would let a client test guesses of what an enrolled code says.
            let payload = fields.text("payload").flatMap { CodePayload(Array($0.utf8)) }
            guard let payload, payload.isPrinted else {
                fields.note("payload", "is none that Rooster prints")
                return nil
            }
            return .printCode(payload)
        },
        "save": { $0.needed("alarm").map { .save($0) } },
        "edit": { fields in
            guard let id = fields.alarm(), let changes = fields.needed("changes") else { return nil }
            return .edit(id, changes: changes)
        },
        "enable": { fields in
            guard let id = fields.alarm() else { return nil }
            guard let isOn = fields.bool("on") else { return fields.missing("on", "true or false") }
            return .order(.enable(id, isOn))
        },
        "delete": { $0.alarm().map { .order(.delete($0)) } },
        "skip": { fields in
            guard let id = fields.alarm() else { return nil }
            return .order(.skip(id, fields.parsed("date", "a date such as \"2026-01-15\"")))
        },
        "unskip": { $0.alarm().map { .order(.unskip($0)) } },
        "pause": { fields in
            guard let id = fields.alarm() else { return nil }
            return .order(.pause(id, fields.dateSet("dates")))
        },
        "configure": { $0.needed("changes").map { .configure(changes: $0) } },
        "calendar": { fields in
            guard let name = fields.text("name") else { return fields.missing("name", "the calendar's name") }
            return .calendar(name, fields.take("calendar") ?? .null)
        },
        "import": { fields in
            guard let file = fields.needed("file") else { return nil }
            // Which codes there are is judged when all of the file is known.
            return .restore(AlarmsFileReading(file), isBackup: fields.bool("backup") ?? false)
        },
        "snooze": { .order(.snooze(seconds: $0.integer("seconds"))) },
        "stop": { _ in .order(.stop) },
        "unlock": { $0.alarm().map { .order(.unlock($0)) } },
        "answer": { fields in
            guard let number = fields.integer("number") else { return fields.missing("number", "a whole number") }
            return .order(.answer(number, to: fields.integer("to")))
        },
        "testRing": { fields in
            let seconds = fields.integer("in") ?? testRingSeconds
            guard (0...Engine.testSecondsMax).contains(seconds) else {
                fields.note("in", "is not between 0 and \(Engine.testSecondsMax) seconds")
                return nil
            }
            let ring = fields.object("ring") { RingSettings(reading: &$0) } ?? RingSettings()
            return .order(.testRing(ring, inSeconds: seconds))
        },
        "simulate": { fields in .simulate(.object(fields.takeAll())) },
    ]

    private static let testRingSeconds = 8
}

extension Occurrence {
    fileprivate init?(meantBy fields: inout Fields) {
        let alarm = fields.alarm()
        let at = fields.text("at")
        let instant = at.flatMap { Instant($0, rounding: .down) }
        if instant == nil { fields.note("at", "is an instant, as in \"2026-01-15T06:00:00Z\"") }
        for member in fields.unknown() { fields.note(member.name, "means nothing here") }
        guard let alarm, let instant else { return nil }
        self.init(alarm: alarm, at: instant)
    }
}

extension Fields {
    fileprivate mutating func alarm() -> Alarm.ID? {
        text("alarm") ?? missing("alarm", "an alarm's id")
    }

    fileprivate mutating func label() -> String? {
        text("label") ?? missing("label", "the code's name")
    }

    /// What is enrolled: a code, unless a tag is wanted.
    fileprivate mutating func codeKind() -> Challenge.Kind {
        guard let text = text("kind") else { return .qr }
        guard let kind = Challenge.Kind(rawValue: text), [.qr, .tag].contains(kind) else {
            note("kind", "\(text.quoted) is nothing that can be enrolled: qr or tag")
            return .qr
        }
        return kind
    }

    fileprivate mutating func needed(_ name: String) -> JSON? {
        take(name) ?? missing(name, "an object { … }")
    }

    fileprivate mutating func missing<Value>(_ name: String, _ what: String) -> Value? {
        if isSound { note(name, "is missing: \(what)") }
        return nil
    }
}
