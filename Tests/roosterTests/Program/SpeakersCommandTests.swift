// What `rooster speakers` says of a service's speakers.

import Oracles
import ScriptedService
import Testing

@Suite struct SpeakersCommandTests {
    /// A service that tells of the speakers as they are here when it has tried them.
    func server(_ speakers: String) throws -> MockServer {
        try CannedService.server([
            "trySpeakers": speakers.replacing(#"{"output""#, with: #"{"ok":true,"output""#, maxReplacements: 1)
        ])
    }

    @Test func lines_sayHowEachIs_andWhichIsTaken() throws {
        let server = try server(
            #"{"output":null,"decibels":null,"routes":["#
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

    @Test(arguments: [
        (["busy"], "every speaker is in use by another program"), (["failed"], "no speaker works"),
        ([], "there is no speaker"),
    ])
    func whereNothingWorks_itIsSaidWhatToDo(healths: [String], words: String) throws {
        let routes = healths.map { #"{"id":"a","kind":"usb","name":"A","configured":"usb:","health":"\#($0)"}"# }
        let server = try server(#"{"output":null,"routes":[\#(routes.joined())]}"#)
        let run = try server.rooster("speakers")
        #expect(run.exitStatus == 1)
        #expect(run.lines.count == routes.count)
        #expect(run.complaints.first?.hasPrefix("rooster: \(words)") == true, "\(run.errors)")
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
        {"output":"Device","decibels":-2.0,"routes":[
        {"id":"Headphones","kind":"analogue","name":"bcm2835 Headphones","configured":"Headphones","health":"failed",
        "reason":"cannot open: No such device"},
        {"id":"Device","kind":"usb","name":"USB Audio","configured":"usb:0d8c:0014","health":"good","reason":null},
        {"id":"vc4hdmi0","kind":"hdmi","name":"A screen","configured":"vc4hdmi0","health":"unknown","reason":null}]}
        """#.replacing("\n", with: "")
}
