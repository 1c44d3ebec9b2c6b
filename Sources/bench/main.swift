// The benchmarks' command line: runs the named benchmarks, or all of them, and prints their figures.

import Glibc

let benchmarks = [
    PlanBenchmark.benchmark, EngineBenchmark.benchmark, JournalBenchmark.benchmark, SpeakerBenchmark.benchmark,
    IdleBenchmark.benchmark, StartBenchmark.benchmark, RingBenchmark.benchmark, ScanBenchmark.benchmark,
    CameraBenchmark.benchmark, PressBenchmark.benchmark, HTTPBenchmark.benchmark,
]

func run(_ arguments: [String]) throws {
    let options = arguments.filter { $0.hasPrefix("-") }
    if options.contains("--help") || options.contains("-h") { return print(help(benchmarks)) }
    if let unknown = options.first {
        throw BenchmarkRefusal.usage("There is no option \(unknown.debugDescription)")
    }
    let names = arguments.filter { !$0.hasPrefix("-") }
    if let unknown = names.first(where: { name in !benchmarks.contains { $0.name == name } }) {
        throw BenchmarkRefusal.usage("There is no benchmark \(unknown.debugDescription)")
    }
    for benchmark in benchmarks where names.isEmpty || names.contains(benchmark.name) {
        print(table(try benchmark.run(), of: benchmark))
    }
}

do {
    try run(Array(CommandLine.arguments.dropFirst()))
} catch {
    remark("\(error)")
    exit((error as? BenchmarkRefusal)?.exitStatus ?? 1)
}
