// What is said of a run of nights, for people and for scripts.

extension Simulation {
    /// The kinds of what could happen, as they are asked for.
    private var kinds: [String] { Happening.Kind.allCases.filter(faults.contains).map(\.rawValue) }

    /// What broke a promise, as little of it as still does, and how to see it again.
    func lines(of failure: Failure) -> [String] {
        let isAll = faults.count == Happening.Kind.allCases.count
        let list = isAll ? "all" : kinds.isEmpty ? "none" : kinds.joined(separator: ",")
        var lines = ["Night \(failure.night.number) of seed \(seed) broke \(failure.violation)", "The alarms:"]
        lines += failure.night.alarms.map { "  \($0.json)" }
        lines.append("What happened, as little as still breaks it:")
        lines += failure.night.happenings.map { at, happening in "  \(at) ms: \(happening)" }
        lines.append("The last of it:")
        lines += failure.lastInputs.map { "  \($0)" }
        lines.append("Again: simulate --nights 1 --seed \(seed) --from \(failure.night.number) --faults \(list)")
        return lines
    }

    /// The last line, for scripts.
    func line(with failure: Failure?) -> String {
        let names = kinds.map { "\"\($0)\"" }.joined(separator: ",")
        let broken = failure.map { failure in
            ",\"night\":\(failure.night.number),\"broke\":\"\(failure.violation.filter { $0 != "\"" })\""
        }
        return "{\"nights\":\(nights),\"seed\":\(seed),\"faults\":[\(names)],\"rings\":\(rings),\"inputs\":\(inputs),"
            + "\"judged\":\(judged),\"excused\":\(excused),"
            + "\"trace\":\"\(String(trace, radix: 16))\",\"violations\":\(failure == nil ? 0 : 1)\(broken ?? "")}"
    }
}
