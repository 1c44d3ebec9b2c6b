// The promises that a journal has made to its owner up to now.

import SimulatedDevices

@testable import Journal

struct BrokenPromise: Error, CustomStringConvertible {
    let description: String
}

/// The contents that must be found after a power cut, and the other permitted ones.
struct Promises {
    /// A possible content of the journal.
    struct Contents {
        var records: [Record] = []
        var nextSequence: UInt64 = 1
    }

    /// The acknowledged content.
    private(set) var acknowledged = Contents()
    /// The permitted contents: the acknowledged one, and those with later requests on the disk.
    private(set) var permitted = [Contents()]
    private var asked: [Record] = []
    /// The content if the current request is acknowledged.
    private var hoped = Contents()

    init() {}

    /// Starts from a damaged journal: each record that is readable now must stay readable.
    init(findingAgain image: DiskImage?) throws(BrokenPromise) {
        guard let image else { return }
        do throws(JournalError) {
            let opened = try Journal.Opened.on(image)
            acknowledged.records = opened.records
            guard let next = try opened.journal.append([record("what comes next")]).first else { return }
            acknowledged.nextSequence = next.sequence
            permitted = [acknowledged]
        } catch {
            throw BrokenPromise(description: "refused: \(error)")
        }
    }

    mutating func ask(_ step: Step) {
        asked = []
        hoped = acknowledged
        switch step {
        case .append(let appends):
            for append in appends {
                for record in append { add(record) }
                permitted.append(hoped)
            }
        case .compact(let snapshot):
            hoped.records = []
            for record in snapshot { add(record) }
            permitted.append(hoped)
        case .restart: break
        }
    }

    private mutating func add(_ new: NewRecord) {
        let record = Record(new, sequence: hoped.nextSequence)
        asked.append(record)
        hoped.records.append(record)
        hoped.nextSequence += 1
    }

    /// Records the acknowledgement of the current request. Only the content with it is permitted now.
    mutating func acknowledge(_ records: [Record]) throws(BrokenPromise) {
        guard records == asked else {
            throw BrokenPromise(description: "acknowledged \(described(records)), asked for \(described(asked))")
        }
        acknowledged = hoped
        permitted = [acknowledged]
    }

    /// Records the content of an opened journal. It counts as acknowledged unless the journal reports that
    /// it cannot write.
    mutating func found(_ records: [Record], canWrite: Bool) throws(BrokenPromise) {
        guard let found = permitted.first(where: { $0.records == records }) else {
            throw BrokenPromise(
                description:
                    "found \(described(records)), acknowledged were \(described(acknowledged.records)), possible also "
                    + permitted.map { described($0.records) }.joined(separator: " or "))
        }
        acknowledged = found
        if canWrite { permitted = [found] }
    }
}

/// Returns the sequence numbers as text, such as `1…4, 7`.
func described(_ records: [Record]) -> String {
    var runs: [ClosedRange<UInt64>] = []
    for number in records.map(\.sequence) {
        if let last = runs.last, number == last.upperBound + 1 {
            runs[runs.count - 1] = last.lowerBound...number
        } else {
            runs.append(number...number)
        }
    }
    guard !runs.isEmpty else { return "nothing" }
    return runs.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)…\($0.upperBound)" }.joined(separator: ", ")
}
