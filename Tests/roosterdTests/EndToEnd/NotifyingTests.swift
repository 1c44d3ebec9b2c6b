// The tests of the notices to systemd: readiness, watchdog pings and the end.

import Fixtures
import Foundation
import Glibc
import Oracles
import Testing

@Suite struct NotifyingTests {
    @Test(arguments: ["", "@"]) func readinessLifeAndEnd_areReportedToSystemd(mark: String) throws {
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
        // The socket is removed, so that no client can connect.
        #expect(!FileManager.default.fileExists(atPath: daemon.socket))
    }

    /// A problem that is over must not stay in systemd's status.
    @Test func problem_isRemovedFromTheStatus_whenItEnds() throws {
        let scratch = try Scratch()
        let path = "\(scratch.path)/notify"
        let notices = Datagrams(at: path)
        let state = try scratch.file("state").path
        let daemon = try DaemonFixture(state, environment: ["NOTIFY_SOCKET": path], isReady: false)
        try daemon.hear("No alarm can ring")
        try FileManager.default.removeItem(atPath: state)
        try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: false)
        try daemon.hear("Ready")
        let trouble = try #require(notices.next())
        #expect(trouble.hasPrefix("STATUS=") && trouble.contains("Not a directory"), "\(trouble)")
        var ready = notices.next()
        while let notice = ready, !notice.hasPrefix("READY=1") { ready = notices.next() }
        #expect(ready == "READY=1\nSTATUS=Ready: 'rooster --socket \(daemon.socket) status' shows the state")
    }

    /// A systemd that hangs reads no notices. Once it reads again, it must get the current state.
    @Test func alarm_rings_whenSystemdReadsNoNotices() throws {
        let scratch = try Scratch()
        let path = "\(scratch.path)/notify"
        let notices = Datagrams(at: path)
        #expect(notices.fillUp())
        let daemon = try DaemonFixture(
            scratch.path, clock: "2024-03-10T14:00:00-04:00",
            environment: ["NOTIFY_SOCKET": path, "WATCHDOG_USEC": "2000"])
        try daemon.client().ask(#"{"do":"add","alarm":{"id":"work","time":"15:00"}}"#)
        try daemon.setClock("2024-03-10T14:59:59-04:00")
        try daemon.hear("Alarm work on 2024-03-10 at 15:00 plays")
        var notice = notices.next()
        while let told = notice, !told.hasPrefix("READY=1") { notice = notices.next() }
        #expect(notice == "READY=1\nSTATUS=Ready: 'rooster --socket \(daemon.socket) status' shows the state")
        while let told = notice, told != "WATCHDOG=1" { notice = notices.next() }
        #expect(notice == "WATCHDOG=1")
        #expect(daemon.end() == 0)
    }
}
