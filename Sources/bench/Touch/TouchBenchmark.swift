// `bench touch`: from a button's edge to whoever hears of it.

import Devices
import EventLoop
import Glibc
import JSON
import LinuxDevices
import SimulatedChip
import Synchronization

enum TouchBenchmark {
    static let benchmark = Benchmark(
        name: "touch",
        summary: "from a button's edge to its report, to silence and to the lamp; on the kernel's simulated chip"
    ) {
        guard SimulatedChip.isThere else {
            remark("touch is not measured: there is no gpio-sim")
            return []
        }
        let chip = try SimulatedChip(["GPIO17"])
        let ours = try reportSamples(chip)
        var result = BenchmarkResult(
            ours: Measurement(name: "touch/edge-to-report", unit: "ms", samples: ours), bar: Bar(p99: 30))
        if let theirs = try gpiomonSamples(chip) {
            let gpiomon = Measurement(name: "touch/edge-to-gpiomon", unit: "ms", samples: theirs)
            result.peers.append(BenchmarkResult.Peer(measurement: gpiomon))
        }
        let service = try TouchedService()
        try service.pass()
        return [
            result,
            BenchmarkResult(
                ours: Measurement(name: "touch/edge-to-silence", unit: "ms", samples: service.silences),
                bar: Bar(p99: 30)
            ),
            BenchmarkResult(
                ours: Measurement(name: "touch/edge-to-lamp", unit: "ms", samples: service.lights), bar: Bar(p99: 30)),
            BenchmarkResult(
                ours: Measurement(name: "touch/wake-ups", unit: "a minute", samples: [Double(service.wakeUps)]), bar: 0),
        ]
    }

    private static let edgesCount = 200
    /// Contacts that are let go sooner bounce.
    private static let pauseMicroseconds: UInt32 = 60_000
    private static let timeoutMilliseconds = 2000
    private static let gpiomonStartMicroseconds: UInt32 = 500_000

    /// Our time stamps are in whole milliseconds, so each sample may be up to one too long.
    private static func reportSamples(_ chip: SimulatedChip) throws -> [Double] {
        let loop = try EventLoop()
        try loop.start(named: "touch")
        let buttons = LoopDriver(buttons: [.snooze: LineInput(LineName("GPIO17", chip: chip.label))], on: loop)
        let samples = Mutex<[Double]>([])
        let isFound = Atomic(false)
        Task(executorPreference: loop) {
            for await report in buttons.reports {
                let now = Double(bootNanoseconds()) / 1_000_000
                switch report {
                case .found: isFound.store(true, ordering: .relaxed)
                case .moved(_, _, let uptime): samples.withLock { $0.append(now - Double(uptime)) }
                case .failed(_, let failure): remark("\(failure)")
                case .warning(_, let words): remark(words)
                }
            }
        }
        try wait { isFound.load(ordering: .relaxed) }
        for number in 1...edgesCount {
            try chip.pull(0, up: number % 2 == 0)
            try wait { samples.withLock { $0.count == number } }
            usleep(pauseMicroseconds)
        }
        buttons.end()
        loop.end()
        loop.waitUntilEnded()
        return samples.withLock(\.self)
    }

    /// What a script hears of libgpiod's own tool, in whole milliseconds as ours; nil where there is no such tool.
    private static func gpiomonSamples(_ chip: SimulatedChip) throws -> [Double]? {
        guard access("/usr/bin/gpiomon", X_OK) == 0 else {
            remark("gpiomon is not measured: it is not installed")
            return nil
        }
        try chip.pull(0, up: true)
        let command = "exec gpiomon -b -l -B pull-up -n \(edgesCount) -F '%s %n' \(chip.label) 0 2>/dev/null"
        guard let output = popen(command, "r") else { throw BenchmarkRefusal.wrongAnswer("cannot start gpiomon") }
        defer { pclose(output) }
        // It does not tell when it listens.
        usleep(gpiomonStartMicroseconds)
        var samples: [Double] = []
        var words = [CChar](repeating: 0, count: 100)
        for number in 1...edgesCount {
            try chip.pull(0, up: number % 2 == 0)
            // libgpiod 2 has a tool of the same name and of other words.
            guard fgets(&words, Int32(words.count), output) != nil else {
                remark("gpiomon is not measured: it is not that of libgpiod 1.6")
                return nil
            }
            var time = timespec()
            clock_gettime(CLOCK_MONOTONIC, &time)
            let text = String(decoding: words.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            let numbers = text.split { !$0.isNumber }.compactMap { Int($0) }
            guard numbers.count == 2 else { throw BenchmarkRefusal.wrongAnswer("gpiomon says \(text)") }
            let stamp = numbers[0] * 1000 + numbers[1] / 1_000_000
            samples.append(Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1_000_000 - Double(stamp))
            usleep(pauseMicroseconds)
        }
        return samples
    }

    private static func wait(until isSo: () -> Bool) throws {
        let end = bootNanoseconds() + timeoutMilliseconds * 1_000_000
        while !isSo() {
            guard bootNanoseconds() < end else { throw BenchmarkRefusal.wrongAnswer("an edge was not heard of") }
            usleep(1000)
        }
    }
}
