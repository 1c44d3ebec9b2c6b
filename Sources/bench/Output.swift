// Printing results as a table.

/// Returns a table under the benchmark's name, each peer below our own measurement.
func table(_ results: [BenchmarkResult], of benchmark: Benchmark) -> String {
    let heads = [
        "\(benchmark.name): \(benchmark.summary)", "median", "p99", "longest", "mean", "", "n", "of ours", "bar",
    ]
    let rows = [heads] + results.flatMap(rows)
    let widths = heads.indices.map { column in rows.map(\.[column].count).max() ?? 0 }
    return rows.map { row in
        let cells = row.indices.map { padded(row[$0], to: widths[$0], atEnd: $0 == 0 || $0 == 5) }
        return String(cells.joined(separator: "  ").reversed().drop { $0 == " " }.reversed())
    }.joined(separator: "\n")
}

private func rows(_ result: BenchmarkResult) -> [[String]] {
    let ours = figures(result.ours) + ["", result.bar.map(shown) ?? ""]
    let peers = result.peers.map { peer in
        var cells = figures(peer.measurement)
        cells[0] = "  \(cells[0])"
        return cells + [result.ratio(peer).map { "\(shown($0))×" } ?? "", peer.bar.map { "≥ \(shown($0))×" } ?? ""]
    }
    return [ours] + peers
}

private func figures(_ measurement: Measurement) -> [String] {
    [measurement.name]
        + [measurement.median, measurement.percentile(99), measurement.longest, measurement.mean].map(shown)
        + [measurement.unit, "\(measurement.count)"]
}

/// Returns the limits as text. A limit on the median has no name, because it is the usual one.
private func shown(_ bar: Bar) -> String {
    [("", bar.median), ("p99 ", bar.p99), ("longest ", bar.longest)].compactMap { name, bar in
        bar.map { "\(name)≤ \(shown($0))" }
    }.joined(separator: ", ")
}

/// Returns a figure with a precision that a person reads.
private func shown(_ value: Double) -> String {
    value >= 100 ? "\(Int(value.rounded()))" : "\((value * 10).rounded() / 10)"
}

func padded(_ text: String, to width: Int, atEnd: Bool = true) -> String {
    let spaces = String(repeating: " ", count: max(0, width - text.count))
    return atEnd ? text + spaces : spaces + text
}
