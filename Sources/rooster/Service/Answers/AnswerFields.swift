// Reading what the service's answers are made of: instants, rings, sessions, what is asked.

import Alarms
import CivilTime
import JSON
import Text

extension Fields {
    mutating func instant(_ name: String) -> Instant? {
        guard let text = text(name) else { return nil }
        guard let instant = Instant(text, rounding: .down) else {
            note(name, "\(text.quoted) is no instant")
            return nil
        }
        return instant
    }

    /// What clocks show, as in `2024-03-10T03:30:00-04:00`: the offset is not needed here.
    mutating func local(_ name: String) -> CivilDateTime? {
        guard let text = text(name) else { return nil }
        guard let local = CivilDateTime(String(text.prefix(19))) else {
            note(name, "\(text.quoted) is no local time")
            return nil
        }
        return local
    }
}

/// A ring to come.
struct NextRing: Hashable {
    let at: Instant
    /// What the clocks show then where it rings.
    let local: CivilDateTime
    let alarm: String
    let label: String
    /// What decided it; nothing for a layer that this rooster does not know.
    let layer: Layer?

    init?(_ fields: inout Fields) {
        guard let at = fields.instant("at"), let local = fields.local("local"), let alarm = fields.text("alarm") else {
            return nil
        }
        (self.at, self.local, self.alarm) = (at, local, alarm)
        label = fields.text("label") ?? ""
        layer = fields.text("layer").flatMap { Layer(rawValue: $0) }
    }

    /// Of a field that says null when there is none.
    static func read(_ name: String, _ fields: inout Fields) -> NextRing? {
        fields.object(name) { NextRing(&$0) } ?? nil
    }
}

/// How one part of the device is.
struct PartHealth: Hashable {
    let part: String
    let grade: String
    let words: String

    init?(_ fields: inout Fields) {
        guard let part = fields.text("part"), let grade = fields.text("grade") else { return nil }
        (self.part, self.grade) = (part, grade)
        words = fields.text("words") ?? ""
    }

    /// What people call the part.
    var name: String {
        switch part {
        case "steps": "step sensor"
        case "tags": "tag reader"
        default: part.inOneLine
        }
    }
}
