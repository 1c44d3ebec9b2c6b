// `bench camera`: the whole service, from a code in the camera's view to silence, and the memory for it.

import Alarms
import Fixtures
import Glibc
import JSON
import PaintedCamera

enum CameraBenchmark {
    static let benchmark = Benchmark(
        name: "camera",
        summary: "from a code in view to silence, and memory (v4l2loopback)"
    ) {
        guard PaintedCamera.node != nil else {
            remark("Not measured: camera needs the kernel module v4l2loopback")
            return []
        }
        let mornings = try Mornings()
        try mornings.pass()
        // The bar is two frames and 20 ms.
        let bar = Bar(p99: 2 * PaintedCamera.frameMilliseconds + 20)
        return [
            BenchmarkResult("camera/view-to-silence", mornings.silences, bar: bar),
            // From the ring's first frame: the helper starts, opens the camera and gives up its rights.
            BenchmarkResult("camera/ring-to-view", mornings.views),
            BenchmarkResult("camera/resident", mornings.residents, unit: "MB", bar: 20),
        ]
    }
}

/// A service whose camera sees a wall, and alarms that ring until the camera sees a code.
private final class Mornings {
    private static let ringCount = 100
    private static let periodSeconds = 3
    private static let code = "bathroom 8c1f"

    private(set) var silences: [Double] = []
    private(set) var views: [Double] = []
    private(set) var residents: [Double] = []
    private let lens: PaintedCamera
    private let service: RingingService
    /// The second of the first ring. The setup enrols a code before it.
    private let first = time(nil) + 15

    init() throws {
        lens = try PaintedCamera()
        service = try RingingService(try QuietAlarms.file(count: 10))
        try lens.showCode(Mornings.code)
        try service.client.done(#"{"do":"enrol","label":"bathroom"}"#)
        lens.showNothing()
        for second in seconds {
            var alarm = Alarm("ring-\(second)", ringingAt: second)
            alarm.challenges = [Challenge(.code(labels: ["bathroom"]))]
            try service.client.done(#"{"do":"add","alarm":\#(alarm.json)}"#)
        }
    }

    private var seconds: [Int] { (0..<Mornings.ringCount).map { first + $0 * Mornings.periodSeconds } }

    func pass() throws {
        try RingingService.check(before: first)
        for second in seconds { try ring(at: second) }
        service.process.kill()
        lens.unplug()
    }

    private func ring(at second: Int) throws {
        let heard = try service.ring(at: second)
        while try service.client.done(#"{"do":"preview"}"#)["view.frame"] == .null { usleep(5000) }
        views.append(milliseconds(from: heard, to: bootNanoseconds()))
        // A code that is in view when the ring begins does not end it, so it is shown a second later.
        usleep(UInt32.random(in: 1_100_000...1_350_000))
        residents.append(try ProcessFigures.residentMegabytes(of: service.process.id))
        try lens.showCode(Mornings.code)
        let stopped = Double(try service.silence()) / 1_000_000
        guard let shown = lens.shownUptime, stopped >= shown else {
            throw BenchmarkRefusal.wrongAnswer("the ring was silent before the code was in view")
        }
        silences.append(stopped - shown)
        lens.showNothing()
    }
}
