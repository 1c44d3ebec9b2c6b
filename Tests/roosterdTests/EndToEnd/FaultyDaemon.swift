// The service that loses its power repeatedly; its sessions must continue from the last reported state.

import Fixtures
import Foundation
import JSON
import Oracles
import Testing

/// The progress of a session.
struct Progress: Hashable {
    var lateSeconds = 0
    var snoozes = 0
    var done = 0

    init(_ session: JSON) {
        lateSeconds = session["lateSeconds"]?.integer ?? 0
        snoozes = session["snoozes"]?.integer ?? 0
        if case .array(let challenges)? = session["challenges"] {
            done = challenges.count { $0["done"] == .bool(true) }
        }
    }
}

/// The identity of a ring.
struct RingName: Hashable {
    var alarm: String
    var at: String

    init?(_ json: JSON) {
        guard case .string(let alarm)? = json["alarm"], case .string(let at)? = json["at"] else { return nil }
        (self.alarm, self.at) = (alarm, at)
    }

    init(_ alarm: String, at: String) { (self.alarm, self.at) = (alarm, at) }
}

/// A service with random power cuts.
struct FaultyDaemon {
    private(set) var daemon: DaemonFixture
    var random: SeededRandom
    private let scratch: Scratch

    init(seed: UInt64) throws {
        scratch = try Scratch()
        random = SeededRandom(seed: seed)
        daemon = try DaemonFixture(scratch.path)
    }

    var files: [String] {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: scratch.path).filter { $0.hasPrefix("journal-") }
        }
    }

    /// True while the journal writes a new segment that replaces all others.
    var isCompacting: Bool {
        get throws { try files.contains { $0.hasSuffix(".new") } }
    }

    func kill() { daemon.kill() }

    /// Waits for a random time. No event marks the instant, because a kill may fall at any moment. A suspended task
    /// would wait for a free thread as well, and a ring at high speed would have its rest by then.
    mutating func wait(microsecondsMax: UInt32) {
        usleep(UInt32.random(in: 0..<microsecondsMax, using: &random))
    }

    /// Starts the service again. Random power cuts interrupt the start itself first.
    mutating func start(clock: String) throws {
        for _ in 0..<([0, 0, 0, 1, 3].randomElement(using: &random) ?? 0) {
            try DaemonFixture.startInVain(
                scratch.path, clock: clock, microseconds: UInt32.random(in: 0...60_000, using: &random))
        }
        daemon = try DaemonFixture(scratch.path, clock: clock)
    }

    func status(_ client: Client) throws -> JSON {
        guard let status = try client.ask(#"{"do":"status"}"#)["status"] else { throw Client.Gone() }
        return status
    }

    /// The service's clock, to the second.
    func now() throws -> String {
        guard case .string(let now)? = try status(daemon.client())["now"] else { throw Client.Gone() }
        return now
    }

    func sessions() throws -> [RingName: Progress] {
        guard case .array(let sessions)? = try status(daemon.client())["sessions"] else { throw Client.Gone() }
        return Dictionary(uniqueKeysWithValues: try sessions.map { (try $0.ring, Progress($0)) })
    }

    /// Returns the level as soon as the speaker plays.
    func decibels() throws -> Double {
        let status = try daemon.follow { $0["speaker.decibels"].map { $0 != .null } ?? false }
        guard case .number(let decibels)? = status["speaker.decibels"] else { throw Client.Gone() }
        return try #require(Double(decibels))
    }

    /// Returns the endings of the last days' rings. Each ring must appear once.
    func endings() throws -> [RingName: JSON] {
        let history = try daemon.client().ask(#"{"do":"history","days":3}"#)
        guard case .array(let rings)? = history["history"] else { throw Client.Gone() }
        let names = try rings.map { try $0.ring }
        #expect(Set(names).count == names.count)
        return Dictionary(zip(names, rings)) { first, _ in first }
    }

    /// Returns the rings of the last days that were stopped.
    func dismissed() throws -> Set<RingName> {
        Set(try endings().filter { $0.value["ended"] == .string("dismissed") }.keys)
    }

    /// Saves an alarm. Returns the time of its next ring, or nil if there is none.
    func save(_ id: String, _ alarm: String) throws -> String? {
        let saved = try daemon.client().ask(#"{"do":"save","alarm":"\#(id)","content":\#(alarm)}"#)
        try #require(saved["ok"] == .bool(true), "\(saved)")
        return if case .string(let next)? = saved["next.at"] { next } else { nil }
    }

    /// Checks that known sessions continue, with at most `underWay` more actions, and that only completed
    /// challenges end one.
    func expectGoneOn(_ known: [RingName: Progress], underWay: Int = 0) throws {
        let found = try sessions()
        #expect(Set(found.keys).isSubset(of: known.keys))
        var deedCount = 0
        for (ring, before) in known {
            if let after = found[ring] {
                #expect(after.lateSeconds == before.lateSeconds)
                #expect(after.snoozes >= before.snoozes && after.done >= before.done)
                deedCount += after.snoozes - before.snoozes + after.done - before.done
            } else {
                let ending = try endings()[ring]
                #expect(ending?["ended"] == .string("dismissed"))
                #expect(ending?.isAllDone == true)
                deedCount += 1
            }
        }
        #expect(deedCount <= underWay)
    }
}

extension JSON {
    fileprivate var ring: RingName {
        get throws {
            guard let ring = RingName(self) else { throw Client.Gone() }
            return ring
        }
    }

    fileprivate var isAllDone: Bool {
        guard case .array(let challenges)? = self["challenges"] else { return false }
        return challenges.allSatisfy { $0["done"] != .null && $0["done"] != .bool(false) }
    }

    /// The number, if it is an integer.
    var integer: Int? {
        guard case .number(let digits) = self else { return nil }
        return Int(digits)
    }
}
