// What a benchmark is, and how it fails.

import Glibc

/// One benchmark, as `bench --help` lists it. It reports what it measured and judges nothing.
struct Benchmark: Sendable {
    let name: String
    let summary: String
    let run: @Sendable () throws -> [BenchmarkResult]
}

/// What one thing took, the bar it is held to, and what its peers took in the same run.
struct BenchmarkResult {
    var ours: Measurement
    /// What it should stay below, in its own unit; nothing where only peers set the bar, or nobody does.
    var bar: Bar?
    var peers: [Peer] = []

    init(_ ours: Measurement, bar: Bar? = nil, peers: [Peer] = []) {
        (self.ours, self.bar, self.peers) = (ours, bar, peers)
    }

    init(_ name: String, _ samples: [Double], unit: String = "ms", bar: Bar? = nil) {
        self.init(Measurement(name: name, unit: unit, samples: samples), bar: bar)
    }

    /// Another's way to the same answers.
    struct Peer {
        var measurement: Measurement
        /// How many times as long as ours it should take; nothing where there is no bar.
        var bar: Double?
    }

    /// How many times as long as ours the peer took, by the medians; nothing where ours took nothing.
    func ratio(_ peer: Peer) -> Double? {
        ours.median == 0 ? nil : peer.measurement.median / ours.median
    }
}

/// What figures of a measurement should stay below.
struct Bar: ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral {
    var median: Double?
    var p99: Double?
    var longest: Double?

    init(median: Double? = nil, p99: Double? = nil, longest: Double? = nil) {
        (self.median, self.p99, self.longest) = (median, p99, longest)
    }

    init(floatLiteral value: Double) { self.init(median: value) }
    init(integerLiteral value: Int) { self.init(median: Double(value)) }
}

enum BenchmarkRefusal: Error {
    /// The command was used in the wrong way; the exit status is 2.
    case usage(String)
    /// What is measured does not do what it should: its time would mean nothing.
    case wrongAnswer(String)

    var exitStatus: Int32 {
        switch self {
        case .usage: 2
        case .wrongAnswer: 1
        }
    }
}

extension BenchmarkRefusal: CustomStringConvertible {
    var description: String {
        switch self {
        case .usage(let reason): "\(reason)\n'bench --help' tells what there is."
        case .wrongAnswer(let reason): "not measured: \(reason)"
        }
    }
}

/// Says what somebody should know who reads the figures.
func remark(_ words: String) {
    let bytes = Array("bench: \(words)\n".utf8)
    // What cannot be said on standard error cannot be said anywhere.
    _ = write(STDERR_FILENO, bytes, bytes.count)
}

func help(_ benchmarks: [Benchmark]) -> String {
    let width = benchmarks.map(\.name.count).max() ?? 0
    let list = benchmarks.map { "  \(padded($0.name, to: width))   \($0.summary)" }.joined(separator: "\n")
    return """
        Usage: bench [NAME…]

        Runs the named benchmarks, or all of them, and prints medians, 99th percentiles and the longest, beside what
        peers took for the same work in the same run and the bars that Rooster is held to. It reports: no figure makes
        it fail. Build it with -c release; the figures of a debug build mean nothing.

        \(list)
        """
}
