// What `rooster speakers` says: with a service and without one, and on whatever machine this is.

import Oracles
import ScriptedService
import Testing

@Suite struct SpeakersCommandTests {
    func rooster(_ arguments: String..., environment: [String: String] = [:]) throws -> Program {
        try Program(
            Program.built("rooster"), ["speakers"] + arguments,
            environment: ["ROOSTER_SOCKET": "/nowhere"].merging(environment) { $1 })
    }

    /// Tests run where there is a card, and where there is none.
    @Test func speakers_areListed_orTheLineSaysWhatToDo() throws {
        let (words, json) = (try rooster(), try rooster("--json"))
        #expect(words.lines.count == json.lines.filter { !$0.hasPrefix(#"{"error":"#) }.count)
        if words.exitStatus == 0 {
            #expect(words.lines.filter { $0.hasPrefix("→") }.count == 1)
            #expect(json.lines.filter { $0.contains(#""isFirst":true"#) }.count == 1)
        } else {
            #expect(words.exitStatus == 1)
            #expect(words.complaints.count == 1)
            #expect(words.complaints.first?.hasPrefix("rooster: ") == true)
        }
    }

    /// A service that tells of the speakers as they are here when it has tried them.
    func server(_ speakers: String) throws -> ScriptedServer {
        try House.server([
            "trySpeakers": speakers.replacing(#"{"voice""#, with: #"{"ok":true,"voice""#, maxReplacements: 1)
        ])
    }

    @Test func lines_sayHowEachIs_andWhichIsTaken() throws {
        let server = try server(
            #"{"voice":null,"decibels":null,"routes":["#
                + #"{"id":"Device","kind":"usb","name":"USB Audio","configured":"usb:0d8c:0014","health":"busy","#
                + #""reason":"cannot open: Device or resource busy"},{"id":"Headphones","kind":"analogue","#
                + #""name":"Headphones","configured":"Headphones","health":"good","reason":null}]}"#)
        let run = try server.rooster("speakers")
        #expect(run.exitStatus == 0, "\(run.errors)")
        #expect(
            run.lines == [
                "  usb:0d8c:0014  USB Audio: in use by another program", "→ Headphones     Headphones: works",
            ])
        #expect(
            try server.rooster("speakers", "--json").lines.map(String.init) == [
                #"{"id":"Device","kind":"usb","name":"USB Audio","configured":"usb:0d8c:0014","works":false,"#
                    + #""reason":"cannot open: Device or resource busy","isFirst":false,"isHeard":false}"#,
                #"{"id":"Headphones","kind":"analogue","name":"Headphones","configured":"Headphones","works":true,"#
                    + #""reason":null,"isFirst":true,"isHeard":false}"#,
            ])
    }

    /// It may be ringing on them.
    @Test(arguments: ["ends the call", "refuses"])
    func noSpeaker_isTried_whereTheServiceRuns_andDoesNotSay(what: String) throws {
        let scratch = try Scratch()
        let alsa = try scratch.file("alsa.conf", holding: "pcm.one { type null }\n")
        let file = try scratch.file("rooster.conf", holding: "speaker: { routes = [ \"alsa:one\" ]; };\n")
        let server = try ScriptedServer { _ in
            what == "refuses" ? [.line(#"{"ok":false,"reason":"busy","words":"too many"}"#)] : [.close]
        }
        let run = try rooster(
            "--config", file.path, environment: ["ROOSTER_SOCKET": server.path, "ALSA_CONFIG_PATH": alsa.path])
        #expect(run.exitStatus == 1)
        #expect(run.lines == [])
        #expect(run.complaints.count == 1, "\(run.errors)")
    }

    @Test(arguments: [("busy", "in use by another program"), ("failed", "no speaker works")])
    func whereNothingWorks_itIsSaidWhatToDo(health: String, words: String) throws {
        let server = try server(
            #"{"voice":null,"decibels":null,"routes":[{"id":"Device","kind":"usb","name":"USB Audio","configured":"usb:","#
                + #""health":"\#(health)","reason":"why"}]}"#)
        let run = try server.rooster("speakers")
        #expect(run.exitStatus == 1)
        #expect(run.lines.count == 1)
        #expect(run.complaints.first?.contains(words) == true)
    }

    /// What is heard is marked, though a better one would work.
    @Test func speakers_areAsTheServiceSays_inItsOrder() throws {
        let server = try server(Self.speakers)
        let run = try server.rooster("speakers")
        #expect(run.exitStatus == 0, "\(run.errors)")
        #expect(
            run.lines == [
                "  Headphones     bcm2835 Headphones: does not work: cannot open: No such device",
                "→ usb:0d8c:0014  USB Audio: is heard now", "  vc4hdmi0       A screen: not tried",
            ])
        let json = try server.rooster("speakers", "--json")
        #expect(json.lines.map { $0.contains(#""isHeard":true"#) } == [false, true, false])
    }

    /// As in the middle of a ring, on the second best.
    static let speakers = #"""
        {"voice":"Device","decibels":-2.0,"routes":[
        {"id":"Headphones","kind":"analogue","name":"bcm2835 Headphones","configured":"Headphones","health":"failed",
        "reason":"cannot open: No such device"},
        {"id":"Device","kind":"usb","name":"USB Audio","configured":"usb:0d8c:0014","health":"good","reason":null},
        {"id":"vc4hdmi0","kind":"hdmi","name":"A screen","configured":"vc4hdmi0","health":"unknown","reason":null}]}
        """#.replacing("\n", with: "")

    @Test func serviceWithoutAnySpeaker_isToldOf() throws {
        let server = try server(#"{"voice":null,"decibels":null,"routes":[]}"#)
        let run = try server.rooster("speakers")
        #expect(run.exitStatus == 1)
        #expect(run.complaints.first?.hasPrefix("rooster: there is no speaker") == true)
    }

    /// As the service would take them: the second is better because the configuration says so.
    @Test func withoutAService_theOrderIsTheConfigurations() throws {
        let scratch = try Scratch()
        let alsa = try scratch.file("alsa.conf", holding: "pcm.one { type null }\npcm.two { type null }\n")
        for names in [["alsa:one", "alsa:two"], ["alsa:two", "alsa:one"]] {
            let file = try scratch.file(
                "rooster.conf", holding: "speaker: { routes = [ \"\(names[0])\", \"\(names[1])\" ]; };\n")
            let run = try rooster("--config", file.path, environment: ["ALSA_CONFIG_PATH": alsa.path])
            let listed = run.lines.filter { $0.contains("alsa:") }
            #expect(listed.map { $0.dropFirst(2).prefix(8) } == names.map { $0[...] }, "\(run.errors)")
            #expect(listed.first?.hasPrefix("→") == true)
            #expect(listed.allSatisfy { $0.hasSuffix(": works") })
        }
    }

    @Test func wrongUsage_isSaid() throws {
        #expect(try rooster("all").exitStatus == 2)
        #expect(try rooster("--loud").exitStatus == 2)
        #expect(try rooster("--help").output.contains("Usage: rooster speakers"))
    }
}
