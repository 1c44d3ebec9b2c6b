// What systemd hears: that roosterd is up, and goes on being alive, and that it ends.

import Foundation
import Glibc
import Household
import Oracles
import Testing

@Suite struct NotifyingTests {
    /// The end at which systemd listens.
    private final class Notices {
        let descriptor: Int32

        init(at path: String) {
            descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
            var patience = timeval(tv_sec: 30, tv_usec: 0)
            setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
            withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    _ = bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
        }

        deinit {
            close(descriptor)
        }

        /// The next one; nothing when none comes.
        func next() -> String? {
            var bytes = [UInt8](repeating: 0, count: 1000)
            let count = recv(descriptor, &bytes, bytes.count, 0)
            return count > 0 ? String(decoding: bytes.prefix(count), as: UTF8.self) : nil
        }
    }

    @Test func readinessLifeAndEnd_areTold() throws {
        let scratch = try Scratch()
        let path = "\(scratch.path)/notify"
        let notices = Notices(at: path)
        let daemon = try Daemon(
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
        let notices = Notices(at: path)
        let state = try scratch.file("state").path
        let daemon = try Daemon(state, environment: ["NOTIFY_SOCKET": path]) { said in
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
}
