// `bench see`: from a code in the camera's view to the service's hearing of it.

import Devices
import LinuxDevices
import PaintedCamera
import Synchronization

enum SeeBenchmark {
    static let benchmark = Benchmark(
        name: "see", summary: "from a code in view to its report, on the kernel's loopback camera where there is one"
    ) {
        guard PaintedCamera.node != nil else {
            remark("see is not measured: there is no v4l2loopback")
            return []
        }
        let samples = try Lookout().samples(samplesCount)
        return [BenchmarkResult(ours: Measurement(name: "see/view-to-report", unit: "ms", samples: samples))]
    }

    private static let samplesCount = 200
}

/// A camera before which a code is held again and again.
private final class Lookout {
    private let loop: EventLoop
    private let lens: PaintedCamera
    private let camera: LinuxCamera

    init() throws {
        loop = try EventLoop()
        try loop.start(named: "see")
        lens = try PaintedCamera()
        camera = LinuxCamera(CameraSettings(), on: loop)
    }

    /// Each is from the first write of a frame with a code to its report.
    func samples(_ count: Int) throws -> [Double] {
        let found = Mutex<(samples: [Double], failure: CameraFailure?, isOver: Bool)>(([], nil, false))
        let (camera, lens) = (camera, lens)
        camera.order(.read([.qr]))
        Task(executorPreference: loop) {
            var isShown = false
            for await report in camera.reports {
                let now = Double(bootNanoseconds()) / 1_000_000
                switch report {
                case .failed(let failure): found.withLock { $0.failure = failure }
                case .frame(let frame) where isShown && !frame.codes.isEmpty:
                    if let shown = lens.shownUptime { found.withLock { $0.samples.append(now - shown) } }
                    lens.showNothing()
                    isShown = false
                case .frame(let frame) where !isShown && frame.codes.isEmpty:
                    do throws(PaintedCamera.Failure) {
                        try lens.showCode("bathroom \(now)")
                        isShown = true
                    } catch {
                        found.withLock { $0.failure = .reader(reason: "has no code to see") }
                    }
                default: break
                }
                if found.withLock({ $0.samples.count >= count || $0.failure != nil }) { break }
            }
            found.withLock { $0.isOver = true }
        }
        while !found.withLock(\.isOver) { sleep(untilNanoseconds: bootNanoseconds() + 10_000_000) }
        camera.end()
        lens.unplug()
        loop.end()
        loop.waitUntilEnded()
        if let failure = found.withLock(\.failure) { throw Refusal.wrongAnswer("\(failure)") }
        return found.withLock(\.samples)
    }
}
