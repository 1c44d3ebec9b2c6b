// The canned service: its responses in the protocol's JSON.

/// Responses to start from: a Monday evening in Berlin, with two alarms and no problem.
package enum CannedService {
    package static let workRing =
        #"{"at":"2026-11-24T06:00:00Z","local":"2026-11-24T07:00:00+01:00","alarm":"6f9619ff-8b86-d011","label":"Work","layer":"base"}"#
    package static let pillsRing =
        #"{"at":"2026-11-24T20:30:00Z","local":"2026-11-24T21:30:00+01:00","alarm":"6f96aaaa-1111","label":"Pills","layer":"date"}"#

    package static let workAlarm = #"""
        {"id":"6f9619ff-8b86-d011","label":"Work","enabled":true,"time":"07:00","repeat":"FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR",
        "challenges":[{"kind":"qr","codes":["bathroom"]},{"kind":"math","level":2,"count":3,"limit":60,"mood":"grim"}],
        "snooze":{"seconds":540,"max":3},"zone":null}
        """#.replacing("\n", with: "")
    package static let pillsAlarm = #"""
        {"id":"6f96aaaa-1111","label":"Pills","enabled":false,"time":"21:30","date":null,"start":null,"repeat":"FREQ=DAILY",
        "zone":null,"days":null,"weekly":{},"dates":{"2026-11-24":"21:30"},
        "ring":{"sound":"chimes01","volume":0.8,"ramp":30,"for":1800},"snooze":{"seconds":540,"max":3},"challenges":[],
        "late":3600,"note":"","category":""}
        """#.replacing("\n", with: "")

    package static let alarms = #"""
        {"ok":true,"alarms":[{"alarm":\#(workAlarm),"next":\#(workRing),"days":"Weekdays","locked":true},
        {"alarm":\#(pillsAlarm),"next":null,"days":"Every day","locked":false}]}
        """#.replacing("\n", with: "")

    package static func status(
        sessions: String = "", next: String = workRing, health: String = #"{"part":"speaker","grade":"ok","text":""}"#,
        speaker: String = #"{"output":null,"decibels":null}"#, warnings: String = "", enabled: Bool = true,
        trusted: Bool = true, recentProblems: String = "", scan: String = "null", camera: String = "null"
    ) -> String {
        #"""
        {"ok":true,"status":{"now":"2026-11-23T22:48:00.250Z","local":"2026-11-23T23:48:00+01:00","zone":"Europe/Berlin",
        "trusted":\#(trusted),"clock":"set by the network","enabled":\#(enabled),"sessions":[\#(sessions)],"scan":\#(scan),"camera":\#(camera),"next":[\#(next)],"noticed":[],
        "recentProblems":[\#(recentProblems)],"health":[\#(health)],"speaker":\#(speaker),"warnings":[\#(warnings)],"simulated":false}}
        """#.replacing("\n", with: "")
    }

    package static func session(
        state: String = "ringing", label: String = "Work", asked: String = "null", secondsLeft: String = "null",
        challenges: String = #"{"kind":"qr","done":true},{"kind":"math","done":false}"#, max: String = "3",
        at: String = "2026-11-23T22:45:00Z"
    ) -> String {
        #"""
        {"alarm":"6f9619ff-8b86-d011","at":"\#(at)","local":"2026-11-23T23:45:00+01:00","label":"\#(label)",
        "state":"\#(state)","until":null,"secondsLeft":\#(secondsLeft),"snoozes":1,"snoozesMax":\#(max),"lateSeconds":0,
        "test":false,"challenges":[\#(challenges)],"asked":\#(asked)}
        """#.replacing("\n", with: "")
    }

    package static func device(enabled: Bool = true) -> String {
        #"{"now":"2026-11-23T22:48:00.250Z","local":"2026-11-23T23:48:00+01:00","zone":"Europe/Berlin","enabled":\#(enabled)}"#
    }

    /// A response to a change of an alarm.
    package static func outcome(
        _ id: String = "6f9619ff-8b86-d011", next: String = "null", open: Bool = false, enabled: Bool = true,
        warnings: String = ""
    ) -> String {
        #"{"ok":true,"id":"\#(id)","next":\#(next),"open":\#(open),"device":\#(device(enabled: enabled)),"warnings":[\#(warnings)]}"#
    }

    /// An error that carries a status.
    package static func refusal(_ code: String, _ message: String, asked: String = "null", status: String) -> String {
        #"{"ok":false,"reason":"\#(code)","message":"\#(message)","asked":\#(asked),"#
            + status.dropFirst(#"{"ok":true,"#.count)
    }

    package static let saved = outcome(next: workRing)
    package static let bathroomCode =
        #"{"label":"bathroom","kind":"qr","symbology":"qr","fingerprint":"1a2b3c4d","alarms":["6f9619ff-8b86-d011"]}"#
    package static let milkCode =
        #"{"label":"milk","kind":"qr","symbology":"ean13","fingerprint":"5e6f7a8b","alarms":[]}"#
    package static let codes = #"{"ok":true,"codes":[\#(bathroomCode),\#(milkCode)]}"#
    package static let done = #"{"ok":true}"#

    /// Returns a service without problems, with other responses for these verbs.
    package static func server(_ others: [String: String] = [:]) throws -> MockServer {
        let usual = [
            "status": status(), "alarms": alarms, "add": saved, "edit": saved, "enable": saved, "delete": outcome(),
            "skip": saved, "unskip": saved, "pause": saved, "configure": #"{"ok":true,"settings":{},"revision":"1"}"#,
            "saveCalendar": #"{"ok":true,"revision":"1"}"#, "deleteCalendar": done, "simulate": done,
            "codes": codes, "forgetCode": done, "cancelScan": #"{"ok":true,"scan":null}"#,
            "testRing": done,
        ]
        return try MockServer(usual.merging(others) { _, other in other })
    }
}
