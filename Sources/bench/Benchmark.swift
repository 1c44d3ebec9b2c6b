// What a benchmark is, and how it fails.

/// One benchmark, as `bench --help` lists it. It reports what it measured and judges nothing.
struct Benchmark: Sendable {
    let name: String
    /// What it measures, in a few words.
    let summary: String
    let run: @Sendable () throws -> [BenchmarkResult]
}

/// What one thing took, the bar it is held to, and what its peers took in the same run.
struct BenchmarkResult {
    var ours: Measurement
    /// The median that it should stay below, in its own unit; nothing where only peers set the bar, or nobody does.
    var bar: Double?
    var peers: [Peer] = []

    /// Another's way to the same answers.
    struct Peer {
        var measurement: Measurement
        /// How many times as long as ours it should take; nothing where there is no bar.
        var bar: Double?
    }

    /// How many times as long as ours the peer took, by the medians.
    func ratio(_ peer: Peer) -> Double {
        peer.measurement.median / ours.median
    }
}

/// Why there are no results.
enum Refusal: Error {
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

extension Refusal: CustomStringConvertible {
    var description: String {
        switch self {
        case .usage(let reason): "\(reason)\n'bench --help' tells what there is."
        case .wrongAnswer(let reason): "not measured: \(reason)"
        }
    }
}

/// What `bench --help` prints.
func help(_ benchmarks: [Benchmark]) -> String {
    let width = benchmarks.map(\.name.count).max() ?? 0
    let list = benchmarks.map { "  \(padded($0.name, to: width))   \($0.summary)" }.joined(separator: "\n")
    return """
        Usage: bench [NAME…] [--json]

        Runs the named benchmarks, or all of them, and prints medians, 99th percentiles and the longest, beside what
        peers took for the same work in the same run and the bars that Rooster is held to. It reports: no figure makes
        it fail. Build it with -c release; the figures of a debug build mean nothing.

          --json   one JSON object a line: name, unit, p50, p99, max, n, bar, peer

        \(list)
        """
}
