// An example of each request, for the tests of the socket and of HTTP, and for the description of the API.

import API
import JSON
import Sound
import Text

package enum RequestExamples {
    /// The members that each request needs in a fixture with one alarm. Other requests need none.
    package static let fields = [
        "alarm": #""alarm":"work""#, "edit": #""alarm":"work","changes":{"label":"Job"}"#,
        "enable": #""alarm":"work","on":true"#, "delete": #""alarm":"work""#, "skip": #""alarm":"work""#,
        "unskip": #""alarm":"work""#, "postpone": #""alarm":"work","seconds":3600"#,
        "done": #""alarm":"work""#,
        "pause": #""alarm":"work","dates":["2024-05-01/2024-05-03"]"#,
        "add": #""alarm":{"time":"08:00","repeat":"FREQ=DAILY"}"#, "validate": #""changes":{"time":"08:00"}"#,
        "save": #""alarm":"work","content":{"time":"08:00"}"#, "deleteCalendar": #""name":"school""#,
        "plan": #""until":"2024-03-20T00:00:00Z""#, "answer": #""number":3"#, "unlock": #""alarm":"work""#,
        "configure": #""changes":{"lock":600}"#, "saveCalendar": #""name":"school","calendar":{"weekdays":["mon"]}"#,
        "import": #""file":{"format":"rooster/1","alarms":[]}"#, "simulate": #""by":60"#,
        "enrol": #""label":"key""#, "forgetCode": #""label":"key""#,
        "printCode": #""payload":"ROOSTER-ABCDEFGHIJKLMNOPQRSTUVWX27""#,
        "sound": #""sound":"tone01""#, "addSound": #""sound":"beep.wav",\#(beep)"#,
        "removeSound": #""sound":"beep.wav""#,
        "codeSheet": #""label":"bathroom""#,
        "forgetClient": #""client":"0123abcd""#, "addToken": #""name":"doorbell","may":"use""#,
        "pair": #""name":"phone""#, "pairing": #""pairing":"x""#, "claim": #""secret":"x","name":"phone""#,
    ]
    /// A sound file as the only piece of its upload.
    private static let beep: String = {
        let file = Samples.plainTone(rate: 8000).waveFile
        return #""upload":"u1","size":\#(file.count),"offset":0,"data":"\#(file.base64)""#
    }()

    /// The error codes of the requests that fail without a ring and without a camera.
    package static let refusals = [
        "snooze": "nothingRings", "awake": "noCheck", "answer": "nothingRings", "emergency": "nothingRings",
        "removeSound": "noSuchSound", "simulate": "notSimulated", "bedside": "notSimulated",
        "enrol": "noCamera", "cameraPicture": "noCamera", "testCode": "noCamera", "forgetCode": "noSuchCode",
        "forgetClient": "noSuchClient", "pair": "noButtons", "pairing": "noSuchPairing", "claim": "noInvitation",
    ]

    /// Returns a line that sends the example, with more members.
    package static func line(_ type: any Request.Type, _ more: String = "") -> String {
        let members = [#""do":"\#(type.spec.name)""#, fields[type.spec.name] ?? "", more].filter { !$0.isEmpty }
        return "{\(members.joined(separator: ","))}"
    }

    /// Returns the fields of the example.
    package static func members(_ type: any Request.Type) throws -> [JSON.Member] {
        try JSON(parsing: Array("{\(fields[type.spec.name] ?? "")}".utf8)).members
    }
}
