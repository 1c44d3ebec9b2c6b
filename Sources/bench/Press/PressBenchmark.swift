// `bench press`: the whole service, from its stop button's edge to silence, and to the lamp.

import Alarms
import Fixtures
import Glibc
import SimulatedChip

enum PressBenchmark {
    static let benchmark = Benchmark(
        name: "press", summary: "from a button's edge to silence and the lamp (gpio-sim)"
    ) {
        guard SimulatedChip.isThere else {
            remark("Not measured: press needs the kernel module gpio-sim")
            return []
        }
        let service = try PressedService()
        try service.pass()
        return [
            BenchmarkResult("press/edge-to-silence", service.silences, bar: Bar(p99: 30)),
            BenchmarkResult("press/edge-to-lamp", service.lights, bar: Bar(p99: 30)),
            BenchmarkResult("press/wake-ups", [Double(service.wakeUps)], unit: "a minute", bar: 0),
        ]
    }
}

/// Rings that the button stops one after the other, and a minute without a press.
private final class PressedService {
    private static let ringCount = 60
    private static let periodSeconds = 2
    private enum Line { static let (stop, lamp) = (0, 1) }

    private(set) var silences: [Double] = []
    private(set) var lights: [Double] = []
    private(set) var wakeUps = 0
    private let chip: SimulatedChip
    private let service: RingingService

    init() throws {
        chip = try SimulatedChip(["GPIO27", "GPIO22"])
        try chip.pull(Line.stop, up: true)
        let lines = [
            "buttons: { stop = \"\(chip.label):GPIO27\"; };", "lamps: { status = \"\(chip.label):GPIO22\"; };",
        ]
        service = try RingingService(try QuietAlarms.file(count: 10), lines: lines)
    }

    func pass() throws {
        let first = time(nil) + 5
        let seconds = (0..<PressedService.ringCount).map { first + $0 * PressedService.periodSeconds }
        for second in seconds {
            try service.client.done(#"{"do":"add","alarm":\#(Alarm("ring-\(second)", ringingAt: second).json)}"#)
        }
        for second in seconds { try ring(at: second) }
        sleep(15)
        let id = service.process.id
        let before = try ProcessFigures.wakeUps(of: id)
        sleep(60)
        wakeUps = try ProcessFigures.wakeUps(of: id) - before
        service.process.kill()
    }

    private func ring(at second: Int) throws {
        _ = try service.ring(at: second)
        // The lamp blinks during a ring, and shines after it for the next alarm. A press at the start of a
        // dark phase, which lasts 250 ms, ensures that the press causes the next light.
        try wait(forLamp: true)
        try wait(forLamp: false)
        let pressed = bootNanoseconds()
        try chip.pull(Line.stop, up: false)
        try wait(forLamp: true)
        lights.append(milliseconds(from: pressed, to: bootNanoseconds()))
        silences.append(milliseconds(from: pressed, to: try service.silence()))
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
