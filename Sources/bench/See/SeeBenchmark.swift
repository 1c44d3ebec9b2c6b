// `bench see`: the whole service, from a code in the camera's view to silence; and what the camera costs it.

import Alarms
import CivilTime
import Fixtures
import Glibc
import JSON
import PaintedCamera

enum SeeBenchmark {
    static let benchmark = Benchmark(
        name: "see",
        summary: "from a code in view to silence, and memory with the camera on; on the kernel's loopback camera"
    ) {
        guard PaintedCamera.node != nil else {
            remark("see is not measured: there is no v4l2loopback")
            return []
        }
        let mornings = try Mornings()
        try mornings.pass()
        // Two frames and 20 ms.
        let bar = Bar(p99: 2 * PaintedCamera.frameMilliseconds + 20)
        return [
            BenchmarkResult(
                ours: Measurement(name: "see/view-to-silence", unit: "ms", samples: mornings.silences), bar: bar),
            // From the ring's first frame: the child starts, opens the camera and shuts itself in.
            BenchmarkResult(ours: Measurement(name: "see/ring-to-view", unit: "ms", samples: mornings.views)),
            BenchmarkResult(
                ours: Measurement(name: "see/resident", unit: "MB", samples: mornings.residents), bar: 20),
        ]
    }
}

/// A service whose camera looks at a wall, and some alarms that ring until it is shown a code.
private final class Mornings {
    private static let ringCount = 100
    private static let periodSeconds = 3
    private static let code = "bathroom 8c1f"

    private(set) var silences: [Double] = []
    private(set) var views: [Double] = []
    private(set) var residents: [Double] = []
    private let card: MeasuredCard
    private let lens: PaintedCamera
    private let service: ServiceProcess
    private let client: Client
    /// The second of the first ring: a code is enrolled before.
    private let first = time(nil) + 15

    init() throws {
        lens = try PaintedCamera()
        let home = try ServiceHome(try QuietAlarms.file(count: 10), .measured)
        guard let card = home.card else { throw BenchmarkRefusal.wrongAnswer("there is no card to ring with") }
        self.card = card
        service = try ServiceProcess(in: home)
        client = try service.client()
        try lens.showCode(Mornings.code)
        try client.done(#"{"do":"enrol","label":"bathroom"}"#)
        lens.showNothing()
        for second in seconds {
            var alarm = Alarm(id: "ring-\(second)")
            (alarm.date, alarm.time) = (CivilDate(dayNumber: second / 86_400), QuietAlarms.clockTime(second))
            alarm.challenges = [Challenge(.code(labels: ["bathroom"]))]
            try client.done(#"{"do":"add","alarm":\#(alarm.json)}"#)
        }
    }

    private var seconds: [Int] { (0..<Mornings.ringCount).map { first + $0 * Mornings.periodSeconds } }

    func pass() throws {
        guard bootNanoseconds() < bootNanoseconds(atSecondsSince1970: first) else {
            throw BenchmarkRefusal.wrongAnswer("it took too long to begin")
        }
        for second in seconds { try ring(at: second) }
        service.kill()
        lens.unplug()
    }

    private func ring(at second: Int) throws {
        sleep(untilNanoseconds: bootNanoseconds(atSecondsSince1970: second) - 1_000_000)
        let heard = try card.wait(for: "the first frame") { card.firstHeardNanoseconds }
        while try client.done(#"{"do":"preview"}"#)["view.frame"] == .null { usleep(5000) }
        views.append(Double(bootNanoseconds() - heard) / 1_000_000)
        // A code that is in view sooner has been left there: it ends nothing.
        usleep(UInt32.random(in: 1_100_000...1_350_000))
        residents.append(try ProcessFigures.residentMegabytes(of: service.process.id))
        try lens.showCode(Mornings.code)
        let stopped = try card.wait(for: "silence") {
            card.firstHeardNanoseconds == nil ? card.stoppedNanoseconds : nil
        }
        guard let shown = lens.shownUptime, Double(stopped) / 1_000_000 >= shown else {
            throw BenchmarkRefusal.wrongAnswer("it was silent before the code was in view")
        }
        silences.append(Double(stopped) / 1_000_000 - shown)
        lens.showNothing()
    }
}
