// Whoever abuses the socket costs nobody else anything.

import Alarms
import Fixtures
import Foundation
import Oracles
import System
import Testing

@testable import ControlServer

@Suite(.timeLimit(.minutes(10))) struct BadClientsTests {
    /// Lets a minute pass, and waits for the sound of an alarm that is due then.
    private func untilItRings(_ fixture: SocketFixture) async {
        var orders = fixture.base.speaker.orders.makeAsyncIterator()
        await fixture.base.advance(byMilliseconds: 60_000)
        while let order = await orders.next() {
            if case .play = order { return }
        }
    }

    @Test func clientsThatComeAndGoWithoutEnd_delayNoRing() async throws {
        try await withSocket { fixture in
            _ = await fixture.base.ask(.save(.daily("work", "15:01")), "1")
            let path = fixture.path
            let flood = Task.detached {
                while !Task.isCancelled { _ = try Client(of: path) }
            }
            await untilItRings(fixture)
            flood.cancel()
        }
    }

    @Test func crowdOfBadClients_keepsNobodyWaiting() async throws {
        try await withSocket { fixture in
            _ = await fixture.base.ask(.save(.daily("work", "15:01")), "1")
            var crowd: [Client] = []
            func crowdIn(_ sayings: [String]) throws {
                for number in 0..<100 {
                    let client = try Client(of: fixture.path)
                    client.say(Array(sayings[number % sayings.count].utf8))
                    crowd.append(client)
                }
            }
            // Nothing, half a line, and nonsense: with whatever is asked for, it would look what is due, and needed no timer.
            try crowdIn(["", #"{"do":"sta"#, "\u{0}\u{1}nonsense\n\n\n{{{\n"])
            await untilItRings(fixture)
            // And what nobody listens to the answers of.
            try crowdIn(["{\"do\":\"follow\"}\n", String(repeating: "{\"do\":\"export\"}\n", count: 100)])
            let client = try Client(of: fixture.path)
            #expect(try client.ask(#"{"do":"snooze"}"#)["ok"] == .bool(true))
            // There is no room for all of them.
            #expect(crowd[0].isLetGo())
        }
    }

    /// What is exported comes in again, though each alarm has all that an alarm can have.
    @Test func backupOfAsManyAlarmsAsThereMayBe_isNotTooLong() throws {
        let alarm = #"""
            {"id":"6F9619FF-8B86-D011-B42D-00CF4FC964FF","label":"School morning","time":"07:00",
            "repeat":"FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR","weekly":{"tue":"07:45","fri":"off"},
            "dates":{"2027-01-01":"off","2027-01-02":"09:00","2027-01-03":"off","2027-01-04":"off","2027-01-05":"off"},
            "skip":["2027-02-01/2027-02-14","2027-03-01"],"note":"Bring the books back to the library",
            "challenges":[{"kind":"qr","codes":["bathroom","kitchen","cellar"]},{"kind":"math"}],"category":"Home"}
            """#
        let file = try AlarmsFileReading(Array(#"{"format":"rooster/1","alarms":[\#(alarm)]}"#.utf8)).file
        let bytes = try #require(file.alarms.first).json.description.utf8.count
        #expect(AlarmsFile.alarmsMax * bytes < LineBuffer.bytesMax)
    }

    @Test func line_thatIsLongerThanAnyBackup_isRefused() async throws {
        try await withSocket { fixture in
            let client = try Client(of: fixture.path)
            // On a thread of its own: nobody may hear the last of it.
            let bytes = [UInt8](repeating: UInt8(ascii: "x"), count: 9 << 20)
            Thread.detachNewThread { client.say(bytes) }
            #expect(try client.hear()["error.code"] == .string("busy"))
            #expect(client.isLetGo())
            #expect(try Client(of: fixture.path).ask(#"{"do":"status"}"#)["ok"] == .bool(true))
        }
    }

    @Test func silentClients_areLetGoOfAfterAWhile() async throws {
        var timeouts = ClientTimeouts()
        (timeouts.stallMilliseconds, timeouts.idleMilliseconds, timeouts.checkMilliseconds) = (20, 20, 10)
        try await withSocket(timeouts) { fixture in
            var follower = try Client(of: fixture.path)
            // A busy machine may keep the test from asking for so long that its client counts as silent.
            while (try? follower.ask(#"{"do":"follow"}"#)) == nil { follower = try Client(of: fixture.path) }
            let silent = try Client(of: fixture.path)
            #expect(silent.isLetGo())
            _ = await fixture.base.ask(.save(.daily("work", "15:30")), "1")
            #expect(try follower.hear()["ok"] == .bool(true))
        }
    }

    /// It is told each second how it is, and takes nothing of that.
    @Test func follower_thatTakesNothing_isLetGoOf() async throws {
        var timeouts = ClientTimeouts()
        (timeouts.stallMilliseconds, timeouts.checkMilliseconds) = (1500, 100)
        try await withSocket(timeouts) { fixture in
            let deaf = try Client(of: fixture.path)
            deaf.say(Array("{\"do\":\"follow\"}\n".utf8))
            // As much as fits on its way to it.
            let client = try Client(of: fixture.path)
            let label = String(repeating: "x", count: 190)
            for number in 0..<400 {
                let alarm = #"{"label":"\#(label)\#(number)","time":"07:00","repeat":"FREQ=DAILY"}"#
                #expect(try client.ask(#"{"do":"save","alarm":"a","content":\#(alarm)}"#)["ok"] == .bool(true))
            }
            #expect(deaf.isCutOff(milliseconds: 120_000))
        }
    }
}
