// The meanings of the members in `docs/FORMAT.md`.

import Foundation
import Text

/// The meaning of each member: the text below, or else the comment of its property in Sources/API.
struct FormatMeanings {
    /// The comments of the properties, by type and name: "FollowEvent.RecordReport.ring".
    private let comments: [String: String]

    init(ofSourcesAt folder: String) throws {
        var comments: [String: String] = [:]
        let files = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        for file in files where file.hasSuffix(".swift") {
            let text = try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8)
            FormatMeanings.read(text, into: &comments)
        }
        self.comments = comments
    }

    func meaning(of member: String, in type: String) -> String? {
        let path = "\(type).\(member)"
        return FormatMeanings.special[path] ?? comments[path] ?? FormatMeanings.common[member]
    }

    /// Finds the properties with comments. The indentation shows in which type a property is.
    private static func read(_ text: String, into comments: inout [String: String]) {
        var types: [(indent: Int, name: String)] = []
        var comment = ""
        for line in text.split(separator: "\n") {
            let indent = line.prefix { $0 == " " }.count
            let code = line.dropFirst(indent)
            if code.hasPrefix("/// ") {
                comment += (comment.isEmpty ? "" : " ") + code.dropFirst(4)
                continue
            }
            types.removeAll { $0.indent >= indent && !code.isEmpty }
            if let type = code.firstMatch(of: #/^(?:package |private )*(?:struct|enum|extension) ([A-Za-z.]+)/#) {
                types.append((indent, String(type.1)))
            } else if !comment.isEmpty,
                let name = code.firstMatch(of: #/^package (?:private\(set\) )?(?:let|var) ([A-Za-z]+)/#)
            {
                comments[(types.map(\.name) + [String(name.1)]).joined(separator: ".")] = phrase(comment)
            }
            comment = ""
        }
    }

    /// Returns a comment in the form of the tables: in small letters, and without the last full stop.
    private static func phrase(_ comment: String) -> String {
        let isName = comment.dropFirst().first?.isUppercase ?? false
        let begin = isName ? comment : comment.prefix(1).lowercased() + comment.dropFirst()
        return begin.hasSuffix(".") ? String(begin.dropLast()) : begin
    }

    /// Names that mean the same in several types.
    private static let common = [
        "alarm": "the alarm's id", "label": "the alarm's label; may be empty", "at": "the planned instant of the ring",
        "local": "the same as local time", "code": "the code", "kind": "the kind", "name": "its name",
        "asked": "what the sleeper has to do now", "health": "the health of each part", "status": "the status",
        "revision": "changes whenever the object changes", "settings": "the settings", "fingerprint": "its fingerprint",
        "zone": "the device's time zone", "enabled": "the master switch of all alarms", "text": "a text for people",
        "now": "the present instant", "done": "true when it is done", "id": "its id", "alarms": "the alarms",
        "symbology": "the kind of code: qr, ean13, …", "challenges": "the challenges in order",
        "snoozes": "the number of snoozes so far", "lateSeconds": "the delay of the ring", "view": "the view",
        "calendars": "the calendars", "calendar": "its days", "sounds": "the sounds", "codes": "the codes and tags",
        "rings": "the rings", "file": "the file", "history": "the past rings", "scan": "the scan in progress",
    ]

    /// Names that need more than the comment of their property, and the members of the alarms file.
    private static let special = [
        "Alarm.id": "identifies the alarm for ever", "Alarm.label": "its name",
        "Alarm.enabled": "false switches it off",
        "Alarm.time": "the time of its base", "Alarm.date": "the only date of its base",
        "Alarm.start": "the day from which a repeat counts", "Alarm.repeat": "the days of its base",
        "Alarm.zone": "its time zone; default: the device's", "Alarm.days": "the calendar on whose days it rings",
        "Alarm.weekly": "other times on weekdays", "Alarm.dates": "other times on dates",
        "Alarm.anchor": "the day that Rooster fixed", "Alarm.skip": "dates without a ring",
        "Alarm.pause": "dates without a ring, except for those in `dates`", "Alarm.ring": "its sound",
        "Alarm.check": "the wake-up check after the challenges; default: none",
        "WakeUpCheck.after": "the seconds from the challenges to the question, 60 to 3600; default: 300",
        "WakeUpCheck.within": "the seconds to answer it, 30 to 600; default: 180",
        "Alarm.escalate": "at most three steps; default: after 300 seconds square520; [] for none",
        "Alarm.snooze": "its snoozes", "Alarm.challenges": "the challenges that end its ring, in order",
        "Alarm.late": "the longest delay in seconds, 0 to 43200; default: 3600",
        "Alarm.early": "the seconds before each ring in which a movement begins it, 0 to 1800; default: 0",
        "Alarm.note": "a note",
        "SessionReport.postponedToLocal": "the same instant as local time in the alarm's zone",
        "Alarm.postpone": "true if its ring can be put off although it has challenges",
        "Alarm.light": "the seconds of the sunrise before each ring, 0 to 3600; default: 0",
        "Alarm.notices": "the times before each ring at which a notice is given, at most five",
        "Alarm.category": "a category",
        "AlarmLabel.alarm": "the alarm's id; empty for a test",
        "AlarmOutcome.id": "the alarm's id", "AlarmOutcome.next": "the next ring",
        "AlarmOutcome.device": "the clock of the device",
        "AlarmReport.alarm": "the alarm", "AlarmReport.next": "the next ring",
        "AlarmsFile.format": "must be `rooster/1`", "AlarmsFile.calendars": "day calendars by name",
        "AlarmsFile.codes": "enrolled codes and tags, as hashes", "AlarmsFile.codeKeys": "the keys of the hashes",
        "AlarmDefaults.ring": "the sound of new alarms", "AlarmDefaults.snooze": "the snoozes of new alarms",
        "AlarmDefaults.escalate": "the escalation of new alarms", "AlarmDefaults.light": "the sunrise of new alarms",
        "AlarmDefaults.check": "the wake-up check of new alarms with challenges",
        "AlarmDefaults.challenges": "the challenges of new alarms", "Settings.hours": "12 or 24; default: 24",
        "Settings.bedtime": "the times by weekday at which the owner is reminded to go to bed",
        "Settings.bedtimeChime": "true if a soft chime sounds then; default: false",
        "Settings.defaults": "what an added alarm gets if its request lacks it",
        "Cause.untilSeconds": "the end of the day of its ring",
        "GetCapabilities.Response.limits": "the limits of the members of an alarm",
        "AskedReport.sum": "the sum", "AskedReport.sumNumber": "the number of the sum, by which an answer may name it",
        "CameraViewReport.camera": "its name", "CameraViewReport.problem": "the reason why there are no pictures",
        "CameraViewReport.warning": "a limitation", "CameraViewReport.frame": "the last picture",
        "CameraViewReport.wrongCodes": "the number of wrong codes so far",
        "CameraViewReport.wrongInView": "true while a wrong code is in view",
        "CameraViewReport.Frame.light": "the mean brightness, 0 to 100",
        "CameraViewReport.Frame.dark": "true if it is too dark",
        "CameraViewReport.Frame.sharpness":
            "the sharpness, 0 to 100; in a picture below 20 a code is too blurred to be read",
        "CameraViewReport.Frame.codes": "the codes in view",
        "Cause.code": "the cause", "Cause.reasons": "reasons from the device, the system or the alarms",
        "Cause.speakers": "the speakers that failed", "Cause.missing": "speakers that are configured and missing",
        "Cause.replacement": "the speaker that is used instead", "Cause.button": "the button",
        "Cause.grade": "the grade of `described`; another cause has its own",
        "Challenge.kind": "the kind", "Challenge.codes": "qr: any one of these enrolled codes",
        "Challenge.level": "math: 1 (easy, the default) to 3",
        "Challenge.count": "math: 1 to 20 sums (3); steps: 10 to 500 (30)",
        "Challenge.limit": "math: 15 to 300 seconds for each sum (60)",
        "Challenge.length": "pattern: 3 to 12 presses (5)",
        "Challenge.tags": "tag: any one of these enrolled tags",
        "Challenge.of": "roulette: two or more challenges, of which one is drawn for each ring",
        "CodeReport.label": "its name",
        "DayCalendar.weekdays": "the weekdays; default: none", "DayCalendar.from": "the first date of the weekdays",
        "DayCalendar.until": "the last date of the weekdays", "DayCalendar.off": "dates that are not in it",
        "DayCalendar.on": "dates that are in it in any case",
        "EscalationStep.after": "the seconds for which it has rung, 1 to 43200; default: 300",
        "EscalationStep.sound": "the id of the sound from then on; default: the one before",
        "EscalationStep.shaker": "true if the bed shaker shakes from then on; default: false",
        "EnrolCode.Response.code": "the code or tag", "EnrolledCode.label": "its name",
        "EnrolledCode.digest": "the keyed hash of its content",
        "ErrorResponse.alarm": "the alarm that the error concerns",
        "FollowEvent.status": "topic status: the present status",
        "FollowEvent.record": "topic records: a fact that was recorded",
        "FollowEvent.prompt": "topic prompts: a prompt for the sleeper, or a notice for the owner",
        "FollowEvent.level": "topic level: the loudness of the ring",
        "FollowEvent.LevelReport.decibels": "the level, relative to the loudest possible",
        "FollowEvent.PromptReport.about": "the kind of prompt", "FollowEvent.PromptReport.alarm": "the alarm",
        "FollowEvent.PromptReport.ring": "the planned instant of the ring",
        "FollowEvent.PromptReport.ringLocal": "the same as local time",
        "FollowEvent.RecordReport.at": "the instant of the fact",
        "FollowEvent.RecordReport.name": "the name of the fact",
        "HealthReport.part": "the part", "HealthReport.grade": "its grade",
        "ImportFile.Response.alarms": "the number of alarms that were taken",
        "ImportFile.Response.setAside": "the alarms that were not taken, and why",
        "GetCapabilities.Response.version": "the version of the service",
        "GetCapabilities.Response.simulated": "true if the hardware is simulated",
        "GetCapabilities.Response.challenges": "the kinds of challenge that the device can do",
        "GetCapabilities.Response.buttons": "true if it has buttons",
        "GetCapabilities.Response.symbologies": "the kinds of code that the camera reads",
        "GetCapabilities.Response.alarmsMax": "the largest number of alarms",
        "GetCapabilities.Response.calendarsMax": "the largest number of calendars",
        "GetCapabilities.Response.snoozeSecondsMin": "the shortest snooze",
        "GetCapabilities.Response.snoozeSecondsMax": "the longest snooze",
        "GetCapabilities.Response.testRingSecondsMax": "the longest delay of a test ring",
        "ProblemReport.message": "the problem, as the end of a sentence",
        "ListAlarms.Response.alarms": "all alarms", "ListSounds.Sound.seconds": "its length",
        "PastRingReport.ended": "how it ended", "PastRingReport.end": "when it ended",
        "PastRingReport.endLocal": "the same as local time",
        "PastRingReport.fired": "when it began to ring; missing if it was missed",
        "PastRingReport.Task.done": "when it was done; missing if it was not",
        "RingSettings.sound": "the id of a sound, or `none` for an alarm that shakes; default: chimes01",
        "RingSettings.volume": "the volume, 0 to 1; default: 0.8",
        "RingSettings.ramp": "the seconds until the full volume, 0 to 600; default: 30",
        "RingSettings.for": "the seconds for which it rings unanswered before it rests; default: 1800",
        "RingSettings.rounds": "the rounds without an answer after which it gives up, 1 to 12; default: 3",
        "RingSettings.rest": "the seconds of rest between two rounds, 60 to 1800; default: 300",
        "RingSettings.shake": "true if the bed shaker shakes while it rings; default: false",
        "ScanReport.purpose": "enrolling or testing", "ScanReport.label": "the name for the new code or tag",
        "SessionOutcome.state": "what became of the ring", "SessionOutcome.untilLocal": "the same as local time",
        "SessionOutcome.label": "its label", "SessionOutcome.correct": "true if the answer was right",
        "SessionOutcome.late": "true if it was right for a sum that had already been replaced",
        "SessionReport.state": "challenged: it rings, and a challenge has begun; waiting: it rings behind another",
        "SessionReport.untilLocal": "the same as local time", "SessionReport.secondsLeft": "the seconds until then",
        "SessionReport.test": "true for a test ring", "Settings.zone": "the device's time zone; default: the machine's",
        "Settings.lock": "the lock window; default: 1800", "Settings.snooze": "the limits of snoozes",
        "Settings.preflight": "the time of the test each evening; default: 21:00",
        "Settings.emergency": "true allows the emergency exit; default: true",
        "Settings.file": "members of a restored file that Rooster does not know",
        "ShowAlarm.Response.alarm": "the alarm", "SimulateBedside.Card.id": "its id in `trySpeakers`",
        "SimulateBedside.Card.fault": "none, stalls, breaks, refuses or hangs",
        "SimulateBedside.Card.plugged": "false unplugs it",
        "SnoozeLimits.min": "the shortest snooze; default: 300",
        "SnoozeLimits.max": "the longest snooze; default: 3600",
        "SnoozeSettings.seconds": "its length; default: 540",
        "SnoozeSettings.max": "the number of snoozes; null for no limit; default: 3",
        "SpeakerFailure.reason": "the reason; missing if it was not tried",
        "SpeakersReport.routes": "all routes, the best first",
        "SpeakersReport.Route.kind": "the kind of route",
        "SpeakersReport.Route.health": "busy: another program uses it",
        "SpeakersReport.Route.reason": "the reason of a failure",
        "StatusReport.clock": "the source of the trust, as a text",
        "StatusReport.trusted": "true if the time is trusted", "StatusReport.unlocking": "the unlocking in progress",
        "StatusReport.next": "the next rings, in order", "StatusReport.speaker": "the speakers",
        "StatusReport.warnings": "warnings of the service, as texts",
        "TestCode.Response.label": "its name; missing if it is not enrolled",
        "UnlockingReport.asked": "what the owner has to do now",
    ]
}
