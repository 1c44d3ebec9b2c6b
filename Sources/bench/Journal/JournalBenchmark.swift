// `bench journal`: how fast records are kept, and how fast they are there again.

import Glibc
import Journal

enum JournalBenchmark {
    static let benchmark = Benchmark(
        name: "journal", summary: "records kept durably, and read again; on the file system of the working directory"
    ) {
        try Commits.measure() + (try RecoveryTime.measure())
    }

    /// A record as the service keeps one a few times a day: a ring, its alarm, its time.
    static func sample(_ index: Int) -> NewRecord {
        let payload =
            #"{"alarm":"6F9619FF-8B86-D011-B42D-00CF4FC964FF","occurrence":"2026-01-12T06:00:00Z","late":0,"#
            + #""route":"usb:Speaker","volume":0.8,"count":\#(index)}"#
        return NewRecord(
            RecordKind(rawValue: 5), millisecondsSince1970: 1_767_225_600_000 + Int64(index),
            payload: Array(payload.utf8))
    }
}
