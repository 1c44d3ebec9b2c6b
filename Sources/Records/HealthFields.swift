// Health as the journal has it: each cause by its name, with its figures.

import Alarms
import Engine
import JSON

extension Health {
    var members: [JSON.Member] {
        // The form that older versions wrote is kept.
        if case .described(let grade, let words) = causes.first ?? .described(.ok, ""), causes.count < 2 {
            return [.init("grade", .string(grade.rawValue)), .init("words", .string(words))]
        }
        return [
            .init("grade", .string(grade.rawValue)), .init("causes", .array(causes.map { .object($0.members) })),
        ]
    }

    init?(reading fields: inout Fields) {
        guard let grade = fields.text("grade").flatMap(Grade.init) else { return nil }
        let words = fields.text("words") ?? ""
        let causes = fields.each(of: "causes") { Cause(reading: &$0) }
        self.init()
        self.causes = causes.isEmpty && (grade != .ok || !words.isEmpty) ? [.described(grade, words)] : causes
    }
}

extension Cause {
    private enum Name: String {
        case silent, unready, buzzerOnly = "buzzer_only", replaced, mixer, sound, soundsUnread = "sounds_unread"
        case diskRefuses = "disk_refuses", diskWears = "disk_wears", diskHangs = "disk_hangs"
        case clockUnknown = "clock_unknown", codesUnmet = "codes_unmet", told
        case cameraBroken = "camera_broken", cameraPulledOut = "camera_pulled_out", camera
        case unusable, wiring, buttonStuck = "button_stuck", buttonLoose = "button_loose"
    }

    fileprivate var members: [JSON.Member] {
        func named(_ name: Name, _ members: JSON.Member...) -> [JSON.Member] {
            [.init("cause", .string(name.rawValue))] + members
        }
        return switch self {
        case .silent(let failures): named(.silent, .init("speakers", failures.json))
        case .unready(let failures): named(.unready, .init("speakers", failures.json))
        case .buzzerOnly(let failures): named(.buzzerOnly, .init("speakers", failures.json))
        case .replaced(let name, let missing, let failures):
            named(
                .replaced, .init("by", .string(name)), .init("missing", .array(missing.map { .string($0) })),
                .init("speakers", failures.json))
        case .mixer(let words): named(.mixer, .init("reason", .string(words)))
        case .sound(let words): named(.sound, .init("reason", .string(words)))
        case .soundsUnread: named(.soundsUnread)
        case .diskRefuses(let reason): named(.diskRefuses, .init("reason", .string(reason)))
        case .diskWears(let failure): named(.diskWears, .init("reason", .string(failure)))
        case .diskHangs: named(.diskHangs)
        case .clockUnknown: named(.clockUnknown)
        case .codesUnmet(let reasons): named(.codesUnmet, .init("reasons", .array(reasons.map { .string($0) })))
        case .cameraBroken(let reason): named(.cameraBroken, .init("reason", .string(reason)))
        case .cameraPulledOut: named(.cameraPulledOut)
        case .camera(let words): named(.camera, .init("reason", .string(words)))
        case .unusable(let reason): named(.unusable, .init("reason", .string(reason)))
        case .wiring(let words): named(.wiring, .init("reason", .string(words)))
        case .buttonStuck(let button): named(.buttonStuck, .init("button", .string(button.rawValue)))
        case .buttonLoose(let button): named(.buttonLoose, .init("button", .string(button.rawValue)))
        case .described(let grade, let words):
            named(.told, .init("grade", .string(grade.rawValue)), .init("reason", .string(words)))
        }
    }

    fileprivate init?(reading fields: inout Fields) {
        guard let text = fields.text("cause") else { return nil }
        let reason = fields.text("reason") ?? ""
        let speakers = fields.each(of: "speakers") { fields in
            fields.text("name").map { SpeakerFailure(name: $0, reason: fields.text("reason")) }
        }
        let grade = fields.text("grade").flatMap(Health.Grade.init) ?? .warning
        let button = fields.text("button").flatMap(Button.init) ?? .stop
        switch Name(rawValue: text) {
        case .silent: self = .silent(speakers)
        case .unready: self = .unready(speakers)
        case .buzzerOnly: self = .buzzerOnly(speakers)
        case .replaced:
            self = .replaced(by: fields.text("by") ?? "", missing: fields.texts("missing") ?? [], failures: speakers)
        case .mixer: self = .mixer(reason)
        case .sound: self = .sound(reason)
        case .soundsUnread: self = .soundsUnread
        case .diskRefuses: self = .diskRefuses(reason: reason)
        case .diskWears: self = .diskWears(failure: reason)
        case .diskHangs: self = .diskHangs
        case .clockUnknown: self = .clockUnknown
        case .codesUnmet: self = .codesUnmet(fields.texts("reasons") ?? [])
        case .cameraBroken: self = .cameraBroken(reason: reason)
        case .cameraPulledOut: self = .cameraPulledOut
        case .camera: self = .camera(reason)
        case .unusable: self = .unusable(reason: reason)
        case .wiring: self = .wiring(reason)
        case .buttonStuck: self = .buttonStuck(button)
        case .buttonLoose: self = .buttonLoose(button)
        case .told: self = .described(grade, reason)
        // A cause that a newer version has written.
        case nil: self = .described(grade, "\(text) \(reason)")
        }
    }
}

extension [SpeakerFailure] {
    fileprivate var json: JSON {
        .array(map { .object([.init("name", .string($0.name)), .init("reason", .text($0.reason))]) })
    }
}
