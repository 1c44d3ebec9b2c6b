// The tests of scripts/demo without a terminal: a newcomer's steps, and an end that leaves no files.

import EventLoop
import Fixtures
import Foundation
import Oracles
import Testing

@Suite(.serialized) struct DemoTests {
    private let scratch: Scratch
    private let demo: Dialogue
    private let greeting: String

    init() throws {
        scratch = try Scratch()
        let built = URL(fileURLWithPath: Program.built("roosterd")).deletingLastPathComponent().path
        demo = try Dialogue(
            "\(Checkout.path)/scripts/demo", ["--built", built], environment: ["TMPDIR": scratch.path])
        greeting = try #require(demo.hear("Demo will ring today"))
    }

    /// The demo's own directory, or nil if it has been removed.
    private var home: String? {
        get throws { try FileManager.default.contentsOfDirectory(atPath: scratch.path).first }
    }

    /// Returns whether no process is left that has the demo's directory in its environment.
    private func leavesNoProcess() throws -> Bool {
        for _ in 0..<200 {
            let isLeft = try FileManager.default.contentsOfDirectory(atPath: "/proc").contains { process in
                // A process may end while it is looked at.
                let environment = FileManager.default.contents(atPath: "/proc/\(process)/environ") ?? Data()
                return String(decoding: environment, as: UTF8.self).contains(scratch.path)
            }
            if !isLeft { return true }
            usleep(50_000)
        }
        return false
    }

    private func service() throws -> Client {
        let home = try #require(try home)
        return try Client(of: "\(scratch.path)/\(home)/control.sock")
    }

    /// Returns the line that solves the next sum.
    private func solved() throws -> String {
        #expect(demo.hear("Solve: ") != nil)
        let sum = try #require(demo.hear(" — ")).dropLast(3)
        return "\(Sums.result(of: String(sum)))\n"
    }

    @Test func alarm_ringsAndIsSnoozedSolvedAndStopped() throws {
        // The step skips most of the time until the ring.
        try service().ask(#"{"do":"simulate","by":18}"#)
        #expect(demo.hear("Demo rings. Solve: ") != nil)
        demo.type("snooze\n")
        #expect(demo.hear("Demo is snoozed") != nil)
        #expect(demo.hear("Demo rings. Solve: ") != nil)
        demo.type("stop\n")
        #expect(demo.hear("Demo rings on. Solve: ") != nil)
        demo.type("100000\n")
        #expect(demo.hear("100000 is wrong") != nil)
        demo.type(try solved())
        #expect(demo.hear("Right. ") != nil)
        demo.type(try solved())
        #expect(demo.hear("You have stopped the alarm") != nil)
        #expect(demo.hear("Demo  dismissed  1 snooze") != nil)
        #expect(demo.exitStatus() == 0)
        #expect(try home == nil)
    }

    @Test(arguments: [(SIGINT, 130), (SIGTERM, 143), (SIGHUP, 129)] as [(Int32, Int32)])
    func interruption_leavesNothingBehind(signal: Int32, status: Int32) throws {
        let service = try service()
        demo.signal(signal)
        #expect(demo.exitStatus() == status)
        #expect(try home == nil)
        #expect(service.isLetGo())
        #expect(try leavesNoProcess())
        // The end prints no error.
        #expect(!demo.hearAll().contains("rooster: "))
    }

    /// The greeting must fit the machine, with or without a sound card.
    @Test func greeting_matchesTheSoundCards() throws {
        let speakers = try Program(
            Program.built("rooster"), ["speakers", "--json"], environment: ["ROOSTER_SOCKET": "/nowhere/control.sock"])
        let works = speakers.output.contains(#""works":true"#)
        #expect(greeting.contains("The sound begins softly.") == works, "\(greeting)")
        #expect(
            greeting.contains("Watch the bar: there is no sound card.") == !speakers.output.contains(#""works":"#))
        #expect(works || greeting.contains("Watch the bar"))
    }

    /// If the user may not play on the cards, or none works, the demo runs silently and shows the bar.
    @Test(arguments: ["null", "false"]) func demo_withoutAUsableCard_startsSilently(works: String) throws {
        demo.signal(SIGTERM)
        let scratch = try Scratch()
        let built = URL(fileURLWithPath: Program.built("roosterd")).deletingLastPathComponent().path
        let scripts = [
            "rooster":
                #"[ "$1" = speakers ] && echo '{"name":"Card","works":\#(works)}' && exit; exec \#(built)/rooster "$@""#,
            "roosterd": #"echo "$@" >\#(scratch.path)/given; exec \#(built)/roosterd "$@""#,
        ]
        for (name, script) in scripts { _ = try scratch.program(name, script: script) }
        let demo = try Dialogue(
            "\(Checkout.path)/scripts/demo", ["--built", scratch.path], environment: ["TMPDIR": scratch.path])
        let greeting = try #require(demo.hear("Demo will ring today"))
        #expect(greeting.contains("Watch the bar: "), "\(greeting)")
        #expect(try String(contentsOfFile: "\(scratch.path)/given", encoding: .utf8).contains(" --silent "))
        demo.signal(SIGTERM)
        #expect(demo.exitStatus() == 143)
    }

    @Test func endOfInput_isReported() throws {
        demo.endInput()
        #expect(demo.hear("demo: The input has ended: run the demo in a terminal") != nil)
        #expect(demo.exitStatus() == 1)
        #expect(try home == nil)
    }

    @Test func killedDemo_endsItsService() throws {
        let service = try service()
        demo.signal(SIGKILL)
        #expect(demo.exitStatus() == -SIGKILL)
        #expect(service.isLetGo())
    }
}
