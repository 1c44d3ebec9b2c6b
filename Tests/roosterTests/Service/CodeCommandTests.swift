// The tests of `rooster code` with a service: requests, output and waits.

import Foundation
import Oracles
import ScriptedService
import Testing

@testable import rooster

@Suite(.timeLimit(.minutes(5))) struct CodeCommandTests {
    @Test func list_printsEachCode_andTheAlarmsThatNeedIt() throws {
        let server = try CannedService.server()
        let run = try server.rooster("code", "list")
        #expect(
            run.output == """
                bathroom  QR code      1a2b3c4d  Work
                milk      EAN-13 code  5e6f7a8b  no alarm asks for it

                """, "\(run.errors)")
        #expect(
            try server.rooster("code", "list", "--json").output
                == "\(CannedService.bathroomCode)\n\(CannedService.milkCode)\n")
        let tag = try CannedService.server(["codes": #"{"ok":true,"codes":[\#(Self.keyTag)]}"#])
        #expect(try tag.rooster("code", "list").output == "key  tag  5e6f7a8b  no alarm asks for it\n")
        #expect(try server.rooster("code").output == server.rooster("code", "list").output)
        let none = try CannedService.server(["codes": #"{"ok":true,"codes":[]}"#]).rooster("code", "list")
        #expect(none.output.hasPrefix("No code is enrolled. 'rooster code print LABEL --output sheet.svg'"))
    }

    private static let keyTag =
        #"{"label":"key","kind":"tag","symbology":"qr","fingerprint":"5e6f7a8b","alarms":[]}"#

    @Test(arguments: [
        ("milk", "qr", "code", "'rooster code enrol LABEL'", CannedService.milkCode),
        ("key", "tag", "tag", "'rooster code enrol LABEL --tag'", keyTag),
    ])
    func enrol_printsTheEnrolledCode_andTheNextStep(
        label: String, kind: String, what: String, loss: String, code: String
    ) throws {
        let first = #"{"ok":true,"code":\#(code),"another":true}"#
        let server = try CannedService.server(["enrol": first])
        let words = ["code", "enrol", label] + (kind == "tag" ? ["--tag"] : [])
        let run = try server.rooster(words)
        #expect(
            run.output == """
                Enrolled the \(what) "\(label)" (fingerprint 5e6f7a8b)
                No alarm asks for this \(what) yet: 'rooster edit ALARM --\(what) \(label)' adds it to one
                Enrol a second \(what) in case this one is lost or broken: \(loss)

                """, "\(run.errors)")
        #expect(server.request("enrol") == #"{"label":"\#(label)","kind":"\#(kind)"}"#)
        let json = try server.rooster(words + ["--json"])
        #expect(json.output == "\(first.replacing(#""ok":true,"#, with: ""))\n")
        let known = try CannedService.server([
            "enrol": #"{"ok":true,"code":\#(CannedService.bathroomCode),"another":false}"#
        ])
        let again = try known.rooster("code", "enrol", "bathroom")
        #expect(again.output == "Enrolled the code \"bathroom\" (fingerprint 1a2b3c4d)\n")
        let other = CannedService.bathroomCode.replacing("1a2b3c4d", with: "99999999")
        let replaced = try CannedService.server(["enrol": #"{"ok":true,"code":\#(other),"another":false}"#])
        #expect(
            try replaced.rooster("code", "enrol", "bathroom").output == """
                Enrolled the code "bathroom" (fingerprint 99999999)
                It replaces another code of this name (fingerprint 1a2b3c4d), which Work asked for

                """)
    }

    @Test(arguments: [("code", [], "LABEL"), ("tag", ["--tag"], "LABEL --tag")])
    func test_printsTheLabelOfTheCode(what: String, options: [String], enrolling: String) throws {
        let known = #"{"ok":true,"label":"bathroom","fingerprint":"1a2b3c4d","symbology":"qr"}"#
        let server = try CannedService.server(["testCode": known])
        let run = try server.rooster(["code", "test"] + options)
        #expect(run.output == "This is the \(what) \"bathroom\" (fingerprint 1a2b3c4d)\n", "\(run.errors)")
        #expect(server.request("testCode") == "{}")
        let unknown = try CannedService.server(["testCode": known.replacing(#""bathroom""#, with: "null")])
            .rooster(["code", "test", "--json"] + options)
        #expect(unknown.exitStatus == 1)
        #expect(unknown.output == #"{"label":null,"kind":"qr","fingerprint":"1a2b3c4d","symbology":"qr"}"# + "\n")
        let advice = "'rooster code enrol \(enrolling)' enrols it."
        #expect(unknown.errors == "rooster: This \(what) is not enrolled (fingerprint 1a2b3c4d). \(advice)\n")
    }

    /// The camera cannot see a tag, so no preview is requested.
    @Test(arguments: [["enrol", "key", "--tag"], ["test", "--tag"]])
    func tagEnrolment_doesNotUseTheCamera(words: [String]) throws {
        let server = try MockServer { request in
            if request.text("do") == "preview" { return [.line(#"{"ok":true,"view":{"frame":null}}"#)] }
            if request.text("do") == "codes" { return [.line(CannedService.codes)] }
            // The pause is longer than the interval between two previews.
            return [.pause(milliseconds: 700), .line(Self.notSeen)]
        }
        let run = try server.rooster(["code"] + words)
        #expect(run.exitStatus == 1)
        #expect(run.output == "Hold the tag to the reader within a minute. Ctrl-C cancels.\n")
        #expect(run.errors == "rooster: No tag was held to the reader\n")
        #expect(server.request("preview") == nil)
    }

    @Test func otherSpelling_isAccepted_andAMisspellingGetsAHint() throws {
        let server = try CannedService.server(["enrol": #"{"ok":true,"code":\#(CannedService.bathroomCode)}"#])
        #expect(try server.rooster("code", "enroll", "bathroom").exitStatus == 0)
        #expect(server.request("enrol") == #"{"label":"bathroom","kind":"qr"}"#)
        let slip = try server.rooster("code", "pritn", "bathroom")
        #expect(slip.errors.contains("Did you mean 'print'?"), "\(slip.errors)")
        // The message lists every verb, not just the first match.
        for verb in ["enrol", "list", "test", "cancel", "forget", "print", "picture"] {
            #expect(slip.errors.contains(verb), "\(slip.errors)")
        }
    }

    @Test(arguments: [
        ("null", "No code is being enrolled or tested"),
        (#"{"purpose":"enrol","label":"hall"}"#, #"Cancelled the enrolment of the code "hall""#),
        (#"{"purpose":"enrol","label":"key","kind":"tag"}"#, #"Cancelled the enrolment of the tag "key""#),
        (#"{"purpose":"test"}"#, "Cancelled the test of a code"),
    ])
    func cancel_printsTheCancelledScan(scan: String, words: String) throws {
        let run = try CannedService.server(["cancelScan": #"{"ok":true,"scan":\#(scan)}"#]).rooster("code", "cancel")
        #expect(run.output == "\(words)\n", "\(run.errors)")
    }

    @Test func print_showsTheFingerprintOfTheCode() throws {
        let warning = "It cannot be enrolled: there is no camera"
        let server = try CannedService.server([
            "printCode": #"{"ok":true,"fingerprint":"1a2b3c4d","warnings":["\#(warning)"]}"#
        ])
        let run = try server.rooster("code", "print", "bathroom")
        #expect(run.output.contains(">Fingerprint: 1a2b3c4d</text>"))
        #expect(run.errors.contains("Its fingerprint will be 1a2b3c4d. "), "\(run.errors)")
        #expect(run.errors.hasSuffix("rooster: warning: \(warning)\n"))
        let older = try CannedService.server().rooster("code", "print", "bathroom")
        #expect(older.exitStatus == 0 && !older.output.contains("Fingerprint"))
    }

    @Test func picture_isWrittenForItsOwnerOnly() throws {
        let scratch = try Scratch()
        let path = "\(scratch.path)/view.jpg"
        let server = try CannedService.server([
            "preview": #"{"ok":true,"view":{"wrongCodes":0,"wrongInView":false,"removeAndShowAgain":false}}"#,
            "cameraPicture": #"{"ok":true,"content":{"type":"image/jpeg","data":"/9j/2Q=="}}"#,
        ])
        let run = try server.rooster("code", "picture", "--output", path)
        #expect(run.output == "Wrote \(path)\n" && run.exitStatus == 0, "\(run.errors)")
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data([0xFF, 0xD8, 0xFF, 0xD9]))
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(try server.rooster("code", "picture").errors.contains("--output is missing"))
        let broken = try CannedService.server([
            "preview":
                #"{"ok":true,"view":{"problem":"it is unplugged","wrongCodes":0,"wrongInView":false,"removeAndShowAgain":false}}"#,
            "cameraPicture": #"{"ok":false,"error":{"code":"noPicture","message":"m","problems":[]}}"#,
        ]).rooster("code", "picture", "--output", "\(scratch.path)/other.jpg")
        #expect(broken.exitStatus == 1 && broken.errors.contains("It is unplugged"), "\(broken.errors)")
    }

    @Test func forget_namesTheAlarmsThatNeedTheCode() throws {
        let warning = "6f96aaaa-1111: cannot be switched on without it"
        let server = try CannedService.server(["forgetCode": #"{"ok":true,"warnings":["\#(warning)"]}"#])
        let run = try server.rooster("code", "forget", "milk")
        #expect(run.output == "Forgot \"milk\"\n")
        #expect(run.errors == "rooster: warning: Pills cannot be switched on without it\n")
        #expect(server.request("forgetCode") == #"{"label":"milk"}"#)
        let problem = "6f9619ff-8b86-d011: could not be stopped without it"
        let needed = try CannedService.server([
            "forgetCode": #"{"ok":false,"reason":"problems","message":"x","problems":["\#(problem)"]}"#
        ]).rooster("code", "forget", "bathroom")
        #expect(needed.exitStatus == 1)
        let said =
            "rooster: Work could not be stopped without it. First add another one with 'rooster edit'.\n"
        #expect(needed.errors == said)
    }

    /// Returns a service that gives up after two previews.
    private func server(seeing view: String, then answer: String) throws -> MockServer {
        let looks = DispatchSemaphore(value: 0)
        return try MockServer { request in
            switch request.text("do") {
            case "enrol", "testCode":
                for _ in 0..<2 { looks.wait() }
                return [.line(answer)]
            case "preview":
                looks.signal()
                return [.line(#"{"ok":true,"view":\#(view)}"#)]
            default: return [.line(CannedService.done)]
            }
        }
    }

    private static let notSeen = #"{"ok":false,"reason":"noCodeSeen","message":"Nothing was shown in time"}"#

    /// After a fruitless wait the message says why no code was seen.
    @Test(arguments: [
        (#"{"frame":{"dark":true,"sharpness":0,"codes":[]}}"#, ". Too dark: turn on a light."),
        (
            #"{"problem":"no camera is plugged in","frame":null}"#,
            ". The camera gives no pictures: no camera is plugged in."
        ),
        (#"{"frame":{"dark":false,"sharpness":60,"codes":[]}}"#, ""),
    ])
    func codeThatIsNotSeen_isReported_withAReason(view: String, words: String) throws {
        let run = try server(seeing: view, then: Self.notSeen).rooster("code", "enrol", "bathroom")
        #expect(run.exitStatus == 1)
        // Without a terminal no line is overwritten.
        let hold = "Hold the code in front of the camera within a minute. Ctrl-C cancels.\n"
        // The wait goes on, because a camera can be plugged in.
        #expect(run.output == hold + (view.contains("problem") ? "No camera is plugged in\n" : ""))
        #expect(run.errors == "rooster: Nothing was shown in time\(words)\n")
    }

    /// A failing preview must not prevent the enrolment.
    @Test func enrolment_withoutAPreview_stillAwaitsTheService() throws {
        let asked = DispatchSemaphore(value: 0)
        let server = try MockServer { request in
            guard request.text("do") == "testCode" else {
                asked.signal()
                return [.close]
            }
            asked.wait()
            return [.line(#"{"ok":true,"label":"bathroom","fingerprint":"1a2b3c4d","symbology":"qr"}"#)]
        }
        let run = try server.rooster("code", "test")
        #expect(run.exitStatus == 0, "\(run.errors)")
        #expect(run.output.hasSuffix("This is the code \"bathroom\" (fingerprint 1a2b3c4d)\n"))
    }

    @Test(arguments: [
        (
            #"{"ok":false,"reason":"scanning","message":"It looks"}"#,
            "It looks. 'rooster status' shows which, 'rooster code cancel' ends it.\n"
        ),
        (#"{"ok":false,"reason":"noCamera","message":"None"}"#, "None. The configuration says 'use = false'"),
        (
            #"{"ok":false,"reason":"noTagReader","message":"None"}"#,
            "None. 'tags: { use = true; };' in /etc/rooster/rooster.conf switches one on.\n"
        ),
        (#"{"ok":false,"reason":"randomTag","message":"As a phone is"}"#, "As a phone is\n"),
        (#"{"ok":false,"reason":"ringing","message":"Not now"}"#, "Not now. 'rooster status' shows which.\n"),
        (#"{"ok":false,"reason":"cancelled","message":"x"}"#, "Cancelled by another client\n"),
        (#"{"ok":false,"reason":"enrolledAlready","message":"It is"}"#, "It is. Use that label, or first delete it"),
    ])
    func refusal_namesARemedy_andAsksForNoCode(answer: String, words: String) throws {
        let run = try CannedService.server(["enrol": answer]).rooster("code", "enrol", "bathroom")
        #expect(run.exitStatus == 1)
        #expect(run.output.isEmpty)
        #expect(run.errors.hasPrefix("rooster: \(words)"), "\(run.errors)")
    }
}
