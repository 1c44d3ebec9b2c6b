// What `rooster speakers` says: on given results, with a service and without one, and on whatever machine this is.

import Devices
import Glibc
import LinuxDevices
import Oracles
import ScriptedService
import Sound
import Testing

@testable import rooster

@Suite struct SpeakersCommandTests {
    func rooster(_ arguments: String..., environment: [String: String] = [:]) throws -> Program {
        try Program(
            Program.built("rooster"), ["speakers"] + arguments,
            environment: ["ROOSTER_SOCKET": "/nowhere"].merging(environment) { $1 })
    }

    static let usb = Route(id: "Device", kind: .usb, name: "USB Audio", usbID: "0d8c:0014")
    static let headphones = Route(id: "Headphones", kind: .analogue)

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

    @Test func lines_sayHowEachIs_andWhichIsTaken() {
        let results: [Route.ID: CardCheck] = [
            "Device": .fails(.system(.open, errorNumber: EBUSY)), "Headphones": .plays,
        ]
        let list = SpeakerList([Self.usb, Self.headphones], results)
        #expect(
            list.lines(isJSON: false) == [
                "  usb:0d8c:0014  USB Audio: in use by another program", "→ Headphones     Headphones: works",
            ])
        #expect(
            list.lines(isJSON: true).last
                == #"{"id":"Headphones","kind":"analogue","name":"Headphones","configured":"Headphones","works":true,"#
                + #""reason":null,"isFirst":true,"isHeard":false}"#)
        #expect(list.advice == nil)
    }

    /// What the service has in use, it knows better; and what this user may not open is not out of order.
    @Test func speakersThatWereTried_areTakenAsFound_whereThatSaysAnything() {
        func speaker(_ id: String, _ health: SpeakerList.Health) -> SpeakerList.Speaker {
            SpeakerList.Speaker(id: id, kind: "analogue", name: id, configuredName: id, health: health)
        }
        let broken = SpeakerList.Health.fails("cannot open: No such device", isBusy: false)
        var list = SpeakerList(
            speakers: [
                speaker("heard", .isHeard), speaker("mended", broken), speaker("stuck", .unknown),
                speaker("forbidden", .unknown), speaker("denied", broken), speaker("absent", .unknown),
            ])
        list.take([
            "heard": .fails(.system(.open, errorNumber: EBUSY)), "mended": .plays,
            "stuck": .fails(.stalled(milliseconds: 500)), "forbidden": .fails(.system(.open, errorNumber: EACCES)),
            "denied": .fails(.system(.open, errorNumber: EPERM)),
        ])
        let stalls = SpeakerList.Health(.fails(.stalled(milliseconds: 500)))
        #expect(list.speakers.map(\.health) == [.isHeard, .works, stalls, .unknown, broken, .unknown])
    }

    /// A card that is tried by anybody else is not there for a ring.
    @Test(arguments: ["a ring", "a ring that is near", "nothing"])
    func noSpeaker_isTried_whileTheServiceMayNeedIt(what: String) throws {
        let scratch = try Scratch()
        let alsa = try scratch.file("alsa.conf", holding: "pcm.one { type null }\n")
        let speaker =
            #"{"voice":null,"decibels":null,"routes":[{"id":"alsa:one","kind":"server","name":"One","configured":"alsa:one","#
            + #""health":"unknown","reason":null}]}"#
        let near = House.workRing.replacing("2026-11-24T06:00:00Z", with: "2026-11-23T22:48:30Z")
        let server = try House.server([
            "status": House.status(
                sessions: what == "a ring" ? House.session() : "",
                next: what == "a ring that is near" ? near : House.workRing, speaker: speaker)
        ])
        let run = try Program(
            Program.built("rooster"), ["speakers"],
            environment: ["ROOSTER_SOCKET": server.path, "ALSA_CONFIG_PATH": alsa.path])
        let isTried = what == "nothing" && run.errors.isEmpty
        #expect(run.lines == ["→ alsa:one  One: \(isTried ? "works" : "not tried")"])
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

    /// ALSA says of a card that this user may not use that there is none.
    @Test func noSpeaker_isTried_byWhoMayNotPlayOnAll() {
        let cards = [Card(Self.headphones, devices: ["null"], mixer: nil)]
        #expect(SpeakersCommand.results(of: cards, areAllowed: false) == [:])
        #expect(SpeakersCommand.results(of: cards, areAllowed: true).keys.elementsEqual(["Headphones"]))
    }

    @Test func whereNothingWorks_itIsSaidWhatToDo() {
        func advice(_ failure: RouteFailure) -> String? { SpeakerList([Self.usb], ["Device": .fails(failure)]).advice }
        #expect(advice(.system(.open, errorNumber: EBUSY))?.contains("in use by another program") == true)
        #expect(advice(.stalled(milliseconds: 500))?.hasPrefix("no speaker works") == true)
    }

    /// What is heard is marked, though a better one would work.
    @Test func speakers_areAsTheServiceSays_inItsOrder() throws {
        let server = try House.server(["status": House.status(speaker: Self.speakers)])
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
        let server = try House.server(["status": House.status(speaker: #"{"voice":null,"decibels":null,"routes":[]}"#)])
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
