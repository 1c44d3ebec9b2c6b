// The tests of `rooster speakers` with a service.

import Oracles
import ScriptedService
import Testing

@Suite struct SpeakersCommandTests {
    /// Returns a service whose `trySpeakers` finds these speakers.
    func server(_ speakers: String) throws -> MockServer {
        try CannedService.server([
            "trySpeakers": speakers.replacing(#"{"output""#, with: #"{"ok":true,"output""#, maxReplacements: 1)
        ])
    }

    /// The arrow marks the card in use, or if none is in use, the first that works.
    @Test func lines_showEachCardsState_andTheCardInUse() throws {
        let server = try server(Self.speakers)
        let run = try server.rooster("speakers")
        #expect(run.exitStatus == 0, "\(run.errors)")
        #expect(
            run.lines == [
                "  Headphones     bcm2835 Headphones: does not work: cannot open: No such device",
                "→ usb:0d8c:0014  USB Audio: plays now", "  vc4hdmi0       A screen: not tested",
                "  usb:           Desk: in use by another program",
            ])
        let json = try server.rooster("speakers", "--json").lines
        #expect(
            json[1]
                == #"{"id":"Device","kind":"usb","name":"USB Audio","configured":"usb:0d8c:0014","works":true,"#
                + #""reason":null,"isFirst":true,"isHeard":true}"#)
        #expect(json.map { $0.contains(#""works":false,"reason":"cannot open"#) } == [true, false, false, true])
        #expect(json[2].contains(#""works":null,"reason":null,"isFirst":false,"isHeard":false"#))
        let quiet = try self.server(Self.speakers.replacing(#""output":"Device""#, with: #""output":null"#))
        #expect(try quiet.rooster("speakers").lines[1] == "→ usb:0d8c:0014  USB Audio: works")
    }

    @Test(arguments: [
        (["busy"], "Every speaker is in use by another program"), (["failed"], "No speaker works"),
        (["failed", "busy"], "A is in use by another program, and no other speaker works"),
        ([], "There is no speaker"),
    ])
    func brokenCards_areListed_withARemedy(healths: [String], words: String) throws {
        let routes = healths.map { #"{"id":"a","kind":"usb","name":"A","configured":"usb:","health":"\#($0)"}"# }
        let server = try server(#"{"output":null,"routes":[\#(routes.joined(separator: ","))]}"#)
        let run = try server.rooster("speakers")
        #expect(run.exitStatus == 1)
        #expect(run.lines.count == routes.count)
        #expect(run.complaints.first?.hasPrefix("rooster: \(words)") == true, "\(run.errors)")
    }

    /// The speakers during a ring on the second-best card.
    static let speakers = #"""
        {"output":"Device","decibels":-2.0,"routes":[
        {"id":"Headphones","kind":"analogue","name":"bcm2835 Headphones","configured":"Headphones","health":"failed",
        "reason":"cannot open: No such device"},
        {"id":"Device","kind":"usb","name":"USB Audio","configured":"usb:0d8c:0014","health":"good","reason":null},
        {"id":"vc4hdmi0","kind":"hdmi","name":"A screen","configured":"vc4hdmi0","health":"unknown","reason":null},
        {"id":"Desk","kind":"usb","name":"Desk","configured":"usb:","health":"busy","reason":"cannot open: busy"}]}
        """#.replacing("\n", with: "")
}
