// The tests of clients that abuse the socket: the ring and other clients must not suffer.

import Alarms
import Fixtures
import Foundation
import Oracles
import System
import Testing

@testable import ControlServer

@Suite(.timeLimit(.minutes(10))) struct BadClientsTests {
    /// Advances the clock by a minute, and waits for the sound of an alarm that is due then.
    private func untilItRings(_ fixture: SocketFixture) async {
        var orders = fixture.base.speaker.orders.makeAsyncIterator()
        await fixture.base.advance(byMilliseconds: 60_000)
        while let order = await orders.next() {
            if case .play = order { return }
        }
    }

    @Test func floodOfConnections_delaysNoRing() async throws {
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

    @Test func manyBadClients_delayNoOtherClient() async throws {
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
            // Silence, half a line, nonsense. A valid request would ring due alarms and hide a broken timer.
            try crowdIn(["", #"{"do":"sta"#, "\u{0}\u{1}nonsense\n\n\n{{{\n"])
            await untilItRings(fixture)
            // Requests whose responses are never read.
            try crowdIn(["{\"do\":\"follow\"}\n", String(repeating: "{\"do\":\"export\"}\n", count: 100)])
            let client = try Client(of: fixture.path)
            #expect(try client.ask(#"{"do":"snooze"}"#)["ok"] == .bool(true))
            // The crowd exceeds the maximum of clients, so the first connection is closed.
            #expect(crowd[0].isLetGo())
        }
    }

    /// A full export must fit into one request, or it could not be imported again.
    @Test func largestBackup_fitsIntoOneRequest() throws {
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
            // The write needs its own thread, because the server does not read all of it.
            let bytes = [UInt8](repeating: UInt8(ascii: "x"), count: 9 << 20)
            Thread.detachNewThread { client.say(bytes) }
            #expect(try client.hear()["error.code"] == .string("busy"))
            #expect(client.isLetGo())
            #expect(try Client(of: fixture.path).ask(#"{"do":"status"}"#)["ok"] == .bool(true))
        }
    }

    @Test func idleClients_areDisconnected() async throws {
        var timeouts = ClientTimeouts()
        (timeouts.stallMilliseconds, timeouts.idleMilliseconds, timeouts.checkMilliseconds) = (20, 20, 10)
        try await withSocket(timeouts) { fixture in
            var follower = try Client(of: fixture.path)
            // On a busy machine the follower may count as silent before its first request.
            while (try? follower.ask(#"{"do":"follow"}"#)) == nil { follower = try Client(of: fixture.path) }
            let silent = try Client(of: fixture.path)
            #expect(silent.isLetGo())
            _ = await fixture.base.ask(.save(.daily("work", "15:30")), "1")
            #expect(try follower.hear()["ok"] == .bool(true))
        }
    }

    /// The follower gets a status for each change, but reads none.
    @Test func follower_thatReadsNothing_isDisconnected() async throws {
        var timeouts = ClientTimeouts()
        (timeouts.stallMilliseconds, timeouts.checkMilliseconds) = (1500, 100)
        try await withSocket(timeouts) { fixture in
            let deaf = try Client(of: fixture.path)
            deaf.say(Array("{\"do\":\"follow\"}\n".utf8))
            // The statuses must fill the buffers of the socket first.
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
