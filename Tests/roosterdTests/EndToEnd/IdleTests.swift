// The test that an idle service sleeps: the real program on the machine's own clock and timers.

import Fixtures
import Foundation
import Oracles
import Testing

@Suite struct IdleTests {
    /// Returns each thread of the service with its number of wake-ups.
    private func wakeUps(of process: pid_t) throws -> [String: Int] {
        let threads = try KernelThread.all(of: process)
        return Dictionary(uniqueKeysWithValues: threads.map { ("\($0.name) \($0.id)", $0.waitCount) })
    }

    /// `doctor` tests the speaker and the disk first, so their work is over before the count starts.
    @Test func idleService_causesNoWakeUps() throws {
        let scratch = try Scratch()
        let socket = "\(scratch.path)/s"
        let alsa = try scratch.file("alsa.conf", holding: "pcm.silence { type null }\n")
        let configuration = try scratch.file("rooster.conf", holding: "speaker: { routes = [ \"alsa:silence\" ]; };\n")
        let service = try Dialogue(
            Program.built("roosterd"),
            ["--state", scratch.path, "--socket", socket, "--config", configuration.path],
            environment: ["ALSA_CONFIG_PATH": alsa.path])
        _ = try #require(service.hear("Ready: "))
        let client = try Client(of: socket)
        try client.ask(#"{"do":"add","alarm":{"id":"a","date":"2099-12-31","time":"07:00"}}"#)
        let doctor = try client.ask(#"{"do":"doctor"}"#)
        #expect(doctor["ok"] == .bool(true))
        // If the machine's clock is not set, the loop checks it every two seconds.
        let isTrusted = try client.ask(#"{"do":"status"}"#)["status.trusted"] == .bool(true)
        var woken: [String] = ["everybody"]
        for _ in 0..<8 where !woken.isEmpty {
            let before = try wakeUps(of: service.process)
            #expect(before.count > 3)
            usleep(2_500_000)
            let after = try wakeUps(of: service.process)
            woken = after.keys.filter { thread in
                let allowed = isTrusted || !thread.hasPrefix("rooster ") ? 0 : 4
                return before[thread].map { after[thread, default: 0] - $0 > allowed } ?? true
            }
        }
        #expect(woken.isEmpty)
        service.signal(SIGTERM)
        #expect(service.exitStatus() == 0)
    }
}
