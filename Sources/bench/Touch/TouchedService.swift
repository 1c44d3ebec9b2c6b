// A whole service whose stop button is pressed: from the button's line to silence, and to the lamp.

import Alarms
import CivilTime
import Fixtures
import Glibc
import SimulatedChip

/// Rings that are stopped by the button, one after the other, and a minute in which nobody presses anything.
final class TouchedService {
    private static let ringCount = 60
    private static let periodSeconds = 2
    private enum Line { static let (stop, lamp) = (0, 1) }

    private(set) var silences: [Double] = []
    private(set) var lights: [Double] = []
    private(set) var wakeUps = 0
    private let chip: SimulatedChip
    private let card: MeasuredCard
    private let service: ServiceProcess
    private let client: Client

    init() throws {
        chip = try SimulatedChip(["GPIO27", "GPIO22"])
        try chip.pull(Line.stop, up: true)
        let lines = [
            "buttons: { stop = \"\(chip.label):GPIO27\"; };", "lamps: { status = \"\(chip.label):GPIO22\"; };",
        ]
        let home = try ServiceHome(try QuietAlarms.file(count: 10), .measured, lines: lines)
        guard let card = home.card else { throw BenchmarkRefusal.wrongAnswer("there is no card to ring with") }
        self.card = card
        service = try ServiceProcess(in: home)
        client = try service.client()
    }

    func pass() throws {
        let first = time(nil) + 5
        for second in (0..<TouchedService.ringCount).map({ first + $0 * TouchedService.periodSeconds }) {
            var alarm = Alarm(id: "ring-\(second)")
            (alarm.date, alarm.time) = (CivilDate(dayNumber: second / 86_400), QuietAlarms.clockTime(second))
            try client.done(#"{"do":"add","alarm":\#(alarm.json)}"#)
        }
        for second in 0..<TouchedService.ringCount { try ring(at: first + second * TouchedService.periodSeconds) }
        sleep(15)
        let before = try ProcessFigures.wakeUps(of: service.process.id)
        sleep(60)
        wakeUps = try ProcessFigures.wakeUps(of: service.process.id) - before
        service.kill()
    }

    private func ring(at second: Int) throws {
        sleep(untilNanoseconds: bootNanoseconds(atSecondsSince1970: second) - 1_000_000)
        _ = try card.wait(for: "the first frame") { card.firstHeardNanoseconds }
        // It shines while the next alarm waits: right after it has gone out, it would be dark for a quarter of a second.
        try wait(forLamp: true)
        try wait(forLamp: false)
        let pressed = bootNanoseconds()
        try chip.pull(Line.stop, up: false)
        try wait(forLamp: true)
        lights.append(Double(bootNanoseconds() - pressed) / 1_000_000)
        let stopped = try card.wait(for: "silence") {
            card.firstHeardNanoseconds == nil ? card.stoppedNanoseconds : nil
        }
        silences.append(Double(stopped - pressed) / 1_000_000)
        usleep(100_000)
        try chip.pull(Line.stop, up: true)
    }

    private func wait(forLamp isOn: Bool) throws {
        let end = bootNanoseconds() + 1_000_000_000
        while try chip.isHigh(Line.lamp) != isOn {
            usleep(200)
            guard bootNanoseconds() < end else {
                throw BenchmarkRefusal.wrongAnswer("the lamp stays \(isOn ? "dark" : "on")")
            }
        }
    }
}
