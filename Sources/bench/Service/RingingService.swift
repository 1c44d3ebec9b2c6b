// A real service whose alarms ring one after the other, on a card that reports the times.

import Alarms
import CivilTime
import Fixtures
import Glibc

final class RingingService {
    let card: MeasuredCard
    let process: ServiceProcess
    let client: Client

    /// Starts a service with these alarms. `lines` are added to its configuration.
    init(_ file: AlarmsFile, lines: [String] = []) throws {
        let home = try ServiceHome(file, .measured, lines: lines)
        card = try home.measuredCard()
        process = try ServiceProcess(in: home)
        client = try process.client()
    }

    /// Waits for the ring that is due at that second. Returns the time of its first frame.
    func ring(at second: Int) throws -> Int {
        sleep(untilNanoseconds: bootNanoseconds(atSecondsSince1970: second) - 1_000_000)
        return try card.wait(for: "the first frame") { card.firstHeardNanoseconds }
    }

    /// Waits until the ring ends. Returns the time at which the card was stopped.
    func silence() throws -> Int {
        try card.wait(for: "silence") { card.firstHeardNanoseconds == nil ? card.stoppedNanoseconds : nil }
    }

    /// Throws if the second of the first ring has passed: the setup took too long.
    static func check(before second: Int) throws {
        guard bootNanoseconds() < bootNanoseconds(atSecondsSince1970: second) else {
            throw BenchmarkRefusal.wrongAnswer("the ring took too long to begin")
        }
    }
}

extension Alarm {
    /// Creates an alarm that rings once, at that second in UTC.
    init(_ id: String, ringingAt second: Int) {
        self.init(id: id)
        (date, time) = (CivilDate(dayNumber: second / 86_400), QuietAlarms.clockTime(second))
    }
}

func milliseconds(from begin: Int, to end: Int) -> Double { Double(end - begin) / 1_000_000 }
