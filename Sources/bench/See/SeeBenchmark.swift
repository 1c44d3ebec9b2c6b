// `bench see`: from a code in the camera's view to silence.

import Alarms
import Devices
import Engine
import Household
import LinuxDevices
import PaintedCamera
import Service
import Synchronization

enum SeeBenchmark {
    static let benchmark = Benchmark(
        name: "see", summary: "from a code in view to silence, on the kernel's loopback camera where there is one"
    ) {
        guard PaintedCamera.node != nil else {
            remark("see is not measured: there is no v4l2loopback")
            return []
        }
        let outcome = Mutex<Result<[Double], any Error>?>(nil)
        let loop = try EventLoop()
        try loop.start(named: "see")
        let scratch = try ScratchFolder()
        Task {
            do {
                let samples = try await Mornings(scratch.path, loop).samples(samplesCount)
                outcome.withLock { $0 = .success(samples) }
            } catch {
                outcome.withLock { $0 = .failure(error) }
            }
        }
        while outcome.withLock({ $0 == nil }) { sleep(untilNanoseconds: bootNanoseconds() + 10_000_000) }
        loop.end()
        loop.waitUntilEnded()
        let samples = try outcome.withLock(\.self)?.get() ?? []
        return [BenchmarkResult(ours: Measurement(name: "see/view-to-silence", unit: "ms", samples: samples))]
    }

    private static let samplesCount = 100
}

/// A service with a real camera, which rings once a day until a code is shown.
private struct Mornings {
    private let home: Household
    private let lens: PaintedCamera
    private static let code = "bathroom 8c1f"
    private static let dayMilliseconds = 86_400_000

    init(_ directory: String, _ loop: EventLoop) throws {
        lens = try PaintedCamera()
        home = try Household(directory: directory, camera: LinuxCamera(CameraSettings(), on: loop))
    }

    /// Each is from the first write of a frame with the code to the order to be silent.
    func samples(_ count: Int) async throws -> [Double] {
        await home.start(Hands(kinds: [.qr]))
        try lens.showCode(Mornings.code)
        try accept(await home.ask(.look(.enrol(label: "bathroom")), "enrol"))
        var alarm = Alarm.daily("work", "20:01")
        (alarm.zoneName, alarm.challenges) = ("UTC", [Challenge(.code(labels: ["bathroom"]))])
        try accept(await home.ask(.save(alarm), "save"))
        home.clock.advance(byMilliseconds: 60_000)
        var samples: [Double] = []
        for number in 1...count {
            lens.showNothing()
            for await order in home.speaker.orders { if case .play = order { break } }
            _ = await home.ask(.stop, "stop \(number)")
            // It is open, and has seen the wall.
            while await home.service.preview().frame == nil { try await Task.sleep(for: .milliseconds(10)) }
            try lens.showCode(Mornings.code)
            for await order in home.speaker.orders where order == .silent { break }
            let now = Double(bootNanoseconds()) / 1_000_000
            if let shown = lens.shownUptime { samples.append(now - shown) }
            home.clock.advance(byMilliseconds: Mornings.dayMilliseconds)
        }
        await home.end()
        lens.unplug()
        return samples
    }

    private func accept(_ reply: Reply) throws {
        guard case .done = reply else { throw bench.Refusal.wrongAnswer("\(reply)") }
    }
}
