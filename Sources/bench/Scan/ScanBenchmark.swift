// `bench scan`: how many of the corpus's pictures are read, and how fast, beside zbar and zxing-cpp alone.

import CodeReading
import Glibc
import JSON
import Specimens

enum ScanBenchmark {
    static let benchmark = Benchmark(
        name: "scan", summary: "codes in pictures that are dark, blurred, tilted …: how many are read, and how fast"
    ) {
        let readers: [any PictureReader] = [OurReader(), ZbarReader(), ZxingReader()]
        var scores = readers.map { _ in Scores() }
        for cell in SpecimenCell.all {
            for number in 0..<specimensOfACell {
                let specimen = try Specimen(cell, number: number)
                for (index, reader) in readers.enumerated() {
                    scores[index].note(try reader.read(specimen), of: specimen, cell)
                }
            }
        }
        for (reader, scores) in zip(readers, scores) where scores.wrong > 0 {
            let words = "\(reader.name) read \(scores.wrong) payloads that are not there"
            if reader is OurReader { throw BenchmarkRefusal.wrongAnswer(words) }
            remark(words)
        }
        let names = readers.map(\.name)
        return rates(scores, names) + [
            times("scan/frame", scores, names, bar: Bar(longest: 100)) { $0.milliseconds },
            // Whoever reads at once is not to wait for what comes after.
            times("scan/frame-that-zbar-reads", scores, names, bar: nil) { times in
                zip(times.milliseconds, scores[1].isRead).filter(\.1).map(\.0)
            },
        ]
    }

    /// Pictures of a cell; of those in the dark, each is several frames.
    private static let specimensOfACell = 40

    /// The share of each cell, and of all that have a code, in percent.
    private static func rates(_ scores: [Scores], _ names: [String]) -> [BenchmarkResult] {
        func result(_ name: String, _ share: (Scores) -> [Bool]) -> BenchmarkResult {
            let all = zip(scores, names).map { scores, reader in
                Measurement(
                    name: reader == names[0] ? name : reader, unit: "%", samples: [Scores.percent(share(scores))])
            }
            return BenchmarkResult(ours: all[0], peers: all.dropFirst().map { .init(measurement: $0) })
        }
        let cells = SpecimenCell.all.map { cell in
            result("scan/\(cell)") { scores in scores.specimens[cell] ?? [] }
        }
        let overall = result("scan/all") { scores in
            scores.specimens.filter { $0.key.condition != .empty }.flatMap(\.value)
        }
        return cells + [overall]
    }

    private static func times(
        _ name: String, _ scores: [Scores], _ names: [String], bar: Bar?, _ samples: (Scores) -> [Double]
    ) -> BenchmarkResult {
        let all = zip(scores, names).map { scores, reader in
            Measurement(name: reader == names[0] ? name : reader, unit: "ms", samples: samples(scores))
        }
        return BenchmarkResult(ours: all[0], bar: bar, peers: all.dropFirst().map { .init(measurement: $0) })
    }
}

private struct Scores {
    /// For each specimen of a cell, whether it was read in any of its frames.
    private(set) var specimens: [SpecimenCell: [Bool]] = [:]
    /// Of each frame, what it took and whether it was read.
    private(set) var milliseconds: [Double] = []
    private(set) var isRead: [Bool] = []
    /// Payloads that are in no code.
    private(set) var wrong = 0

    mutating func note(_ frames: [FrameReading], of specimen: Specimen, _ cell: SpecimenCell) {
        let read = frames.map { frame in specimen.payload.map(frame.payloads.contains) ?? false }
        specimens[cell, default: []].append(read.contains(true))
        milliseconds += frames.map(\.milliseconds)
        isRead += read
        wrong += frames.reduce(0) { $0 + $1.payloads.count { $0 != specimen.payload } }
    }

    static func percent(_ share: [Bool]) -> Double {
        100 * Double(share.count { $0 }) / Double(max(1, share.count))
    }
}
