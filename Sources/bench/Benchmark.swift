// The types of a benchmark and its results, and the errors that end it.

import Glibc

/// One benchmark, as `bench --help` lists it. A figure beyond its bar is not an error.
struct Benchmark: Sendable {
    let name: String
    let summary: String
    let run: @Sendable () throws -> [BenchmarkResult]
}

/// One measurement with its bar, and the peers' measurements from the same run.
struct BenchmarkResult {
    var ours: Measurement
    /// The limits on our figures; nil if only the peers have a bar, or there is none.
    var bar: Bar?
    var peers: [Peer] = []

    init(_ ours: Measurement, bar: Bar? = nil, peers: [Peer] = []) {
        (self.ours, self.bar, self.peers) = (ours, bar, peers)
    }

    init(_ name: String, _ samples: [Double], unit: String = "ms", bar: Bar? = nil) {
        self.init(Measurement(name: name, unit: unit, samples: samples), bar: bar)
    }

    /// Another program or library that does the same work.
    struct Peer {
        var measurement: Measurement
        /// The least ratio of its median to ours that meets the bar; nil if there is no bar.
        var bar: Double?
    }

    /// Returns the ratio of the peer's median to ours, or nil if ours is zero.
    func ratio(_ peer: Peer) -> Double? {
        ours.median == 0 ? nil : peer.measurement.median / ours.median
    }
}

/// Upper limits on the figures of a measurement.
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
    /// A mistake on the command line. The exit status is 2.
    case usage(String)
    /// A measured program gave a wrong result, or could not run, so its time would mean nothing.
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
        case .usage(let reason): "\(reason)\n'bench --help' lists the benchmarks."
        case .wrongAnswer(let reason): "Not measured: \(reason)"
        }
    }
}

/// Prints a note for the reader of the figures on standard error.
func remark(_ text: String) {
    let bytes = Array("bench: \(text)\n".utf8)
    // A failed write is ignored: there is no other place to report it.
    _ = write(STDERR_FILENO, bytes, bytes.count)
}

func help(_ benchmarks: [Benchmark]) -> String {
    let width = benchmarks.map(\.name.count).max() ?? 0
    let list = benchmarks.map { "  \(padded($0.name, to: width))   \($0.summary)" }.joined(separator: "\n")
    return """
        Usage: bench [NAME…]

        Runs the named benchmarks, or all. Prints median, 99th percentile and maximum
        beside the bars of docs/DESIGN.md, and beside peers that do the same work in
        the same run. No figure makes it fail. Build it with -c release: a debug build
        is far slower.

        \(list)
        """
}
