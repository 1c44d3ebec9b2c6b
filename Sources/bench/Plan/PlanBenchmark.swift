// `bench plan`: how fast alarms are planned.

enum PlanBenchmark {
    static let benchmark = Benchmark(name: "plan", summary: "when alarms ring next, one and a houseful") {
        try PlanCase.all.map { try $0.measure() } + [try Replanning.measure()] + (try Replanning.measureGrowth())
    }
}
