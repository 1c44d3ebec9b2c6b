// What systemd hears: that roosterd is up, and goes on being alive, and that it ends.

import Fixtures
import Foundation
import Glibc
import Oracles
import Testing

@Suite struct NotifyingTests {
    @Test(arguments: ["", "@"]) func readinessLifeAndEnd_areTold(mark: String) throws {
        let scratch = try Scratch()
        let path = "\(mark)\(scratch.path)/notify"
        let notices = Datagrams(at: path)
        let daemon = try DaemonFixture(
            scratch.path, environment: ["NOTIFY_SOCKET": path, "WATCHDOG_USEC": "40000"])
        var told: [String] = []
        while told.count(where: { $0 == "WATCHDOG=1" }) < 3, let notice = notices.next() { told.append(notice) }
        #expect(told.contains { $0.hasPrefix("READY=1\n") })
        #expect(daemon.end() == 0)
        while told.last != "STOPPING=1", let notice = notices.next() { told.append(notice) }
        #expect(told.last == "STOPPING=1")
        // Nobody is let in any more.
        #expect(!FileManager.default.fileExists(atPath: daemon.socket))
    }

    /// What kept it from ringing is not said of it any more when nothing does.
    @Test func trouble_isTakenBack_whenItIsOver() throws {
        let scratch = try Scratch()
        let path = "\(scratch.path)/notify"
        let notices = Datagrams(at: path)
        let state = try scratch.file("state").path
        let daemon = try DaemonFixture(state, environment: ["NOTIFY_SOCKET": path]) { said in
            guard said.contains("no alarm can ring"), FileManager.default.contents(atPath: state) != nil else { return }
            try FileManager.default.removeItem(atPath: state)
            try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: false)
        }
        let trouble = try #require(notices.next())
        #expect(trouble.hasPrefix("STATUS=") && trouble.contains("Not a directory"), "\(trouble)")
        var ready = notices.next()
        while let notice = ready, !notice.hasPrefix("READY=1") { ready = notices.next() }
        #expect(ready == "READY=1\nSTATUS=Ready: 'rooster --socket \(daemon.socket) status' shows how it is")
    }

    /// systemd hangs: it takes nothing of what it is told. When it does again, it hears how it is now.
    @Test func alarm_rings_whenSystemdTakesNothing() throws {
        let scratch = try Scratch()
        let (path, socket) = ("\(scratch.path)/notify", "\(scratch.path)/s")
        let notices = Datagrams(at: path)
        #expect(notices.fillUp())
        let service = try Dialogue(
            Program.built("roosterd"),
            [
                "--simulate", "--silent", "--state", scratch.path, "--socket", socket, "--zone", "America/New_York",
                "--clock", "2024-03-10T14:00:00-04:00",
            ], environment: ["NOTIFY_SOCKET": path, "WATCHDOG_USEC": "2000"])
        _ = try #require(service.hear("Ready: "))
        let client = try Client(of: socket)
        try client.ask(#"{"do":"add","alarm":{"id":"work","time":"15:00"}}"#)
        try client.ask(#"{"do":"simulate","changes":{"clock":"2024-03-10T14:59:59-04:00"}}"#)
        #expect(service.hear("Alarm work on 2024-03-10 at 15:00 is heard") != nil)
        var notice = notices.next()
        while let told = notice, !told.hasPrefix("READY=1") { notice = notices.next() }
        #expect(notice == "READY=1\nSTATUS=Ready: 'rooster --socket \(socket) status' shows how it is")
        while let told = notice, told != "WATCHDOG=1" { notice = notices.next() }
        #expect(notice == "WATCHDOG=1")
        service.signal(SIGTERM)
        #expect(service.exitStatus() == 0)
    }
}
