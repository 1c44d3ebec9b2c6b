// `bench scan`: how many of the corpus's pictures are read, and how fast, beside zbar and zxing-cpp alone.

import CodeReading
import Glibc
import Specimens

enum ScanBenchmark {
    static let benchmark = Benchmark(
        name: "scan", summary: "codes in difficult pictures: how many are read, how fast"
    ) {
        var scores = PictureReader.all.map { Scores($0) }
        for cell in SpecimenCell.all {
            for number in 0..<specimensOfACell {
                let specimen = try Specimen(cell, number: number)
                for index in scores.indices { scores[index].note(specimen, cell) }
            }
        }
        for scores in scores where scores.wrong > 0 {
            let text = "\(scores.reader.name) read \(scores.wrong) payloads that are not there"
            if scores.reader.isOurs { throw BenchmarkRefusal.wrongAnswer(text) }
            remark(text)
        }
        // The share of each cell, and of all specimens with a code.
        let cells = SpecimenCell.all.map { cell in
            result("scan/\(cell)", unit: "%", scores) { [Scores.percent($0.specimens[cell] ?? [])] }
        }
        let overall = result("scan/all", unit: "%", scores) { scores in
            [Scores.percent(scores.specimens.filter { $0.key.condition != .empty }.flatMap(\.value))]
        }
        var times = result("scan/frame", unit: "ms", scores) { $0.milliseconds }
        times.bar = Bar(longest: 100)
        return cells + [overall, times]
    }

    /// The number of specimens in a cell. A specimen in the dark has several frames.
    private static let specimensOfACell = 40

    private static func result(
        _ name: String, unit: String, _ scores: [Scores], _ samples: (Scores) -> [Double]
    ) -> BenchmarkResult {
        let all = scores.map { scores in
            Measurement(name: scores.reader.isOurs ? name : scores.reader.name, unit: unit, samples: samples(scores))
        }
        return BenchmarkResult(all[0], peers: all.dropFirst().map { .init(measurement: $0) })
    }
}

private struct Scores {
    let reader: PictureReader
    /// For each specimen of a cell, whether a frame of it was read.
    private(set) var specimens: [SpecimenCell: [Bool]] = [:]
    private(set) var milliseconds: [Double] = []
    /// The number of payloads that no code in the picture has.
    private(set) var wrong = 0

    init(_ reader: PictureReader) { self.reader = reader }

    mutating func note(_ specimen: Specimen, _ cell: SpecimenCell) {
        let frames = reader.read(specimen)
        let read = frames.map { frame in specimen.payload.map(frame.payloads.contains) ?? false }
        specimens[cell, default: []].append(read.contains(true))
        milliseconds += frames.map(\.milliseconds)
        wrong += frames.reduce(0) { $0 + $1.payloads.count { $0 != specimen.payload } }
    }

    static func percent(_ share: [Bool]) -> Double {
        100 * Double(share.count { $0 }) / Double(max(1, share.count))
    }
}
