// What a journal has promised its owner so far.

import SimulatedDevices

@testable import Journal

/// A promise that a journal broke.
struct BrokenPromise: Error, CustomStringConvertible {
    let description: String
}

/// What must be found after a power cut, and what else may be.
struct Promises {
    /// What a journal may hold.
    struct Contents {
        var records: [Record] = []
        var nextSequence: UInt64 = 1
    }

    /// Everything acknowledged.
    private(set) var acknowledged = Contents()
    /// All that may be found: what is acknowledged, then what was asked for since and may have got to the disk.
    private(set) var permitted = [Contents()]
    private var asked: [Record] = []
    /// What there is if that is acknowledged.
    private var hoped = Contents()

    init() {}

    /// Of a damaged journal that what can be read now can be read ever after.
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

    /// What was asked for has been acknowledged: nothing but that may be found from now on.
    mutating func acknowledge(_ records: [Record]) throws(BrokenPromise) {
        guard records == asked else {
            throw BrokenPromise(description: "acknowledged \(inWords(records)), asked for \(inWords(asked))")
        }
        acknowledged = hoped
        permitted = [acknowledged]
    }

    /// The journal was opened, and these were in it. They are as good as acknowledged, unless it says that it cannot write.
    mutating func found(_ records: [Record], canWrite: Bool) throws(BrokenPromise) {
        guard let found = permitted.first(where: { $0.records == records }) else {
            throw BrokenPromise(
                description:
                    "found \(inWords(records)), acknowledged were \(inWords(acknowledged.records)), possible also "
                    + permitted.map { inWords($0.records) }.joined(separator: " or "))
        }
        acknowledged = found
        if canWrite { permitted = [found] }
    }
}

/// The sequence numbers, as in `1…4, 7`.
func inWords(_ records: [Record]) -> String {
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
