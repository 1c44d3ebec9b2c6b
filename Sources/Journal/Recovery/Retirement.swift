// What becomes of files that the journal no longer needs.

import Glibc

/// The files of a journal beside the one that counts. What cannot be removed now is tried again the next time.
struct Retirement {
    /// Segments that are there, the newest last.
    var segments: [UInt64]
    /// The one among them that is damaged.
    var damaged: UInt64?
    /// Files that never became segments.
    var unfinished: [UInt64]
    /// Files that were set aside, for ever.
    var setAside: [UInt64]

    /// Sets the damaged segment aside and removes all but two: only to be called once both names last.
    mutating func retire(keeping newest: UInt64, and secondChance: UInt64, on disk: any Disk) {
        if let number = damaged,
            isDone({ () throws(DiskError) in
                try disk.rename(SegmentName.segment(number).text, to: SegmentName.damaged(number).text)
            })
        {
            damaged = nil
            segments.removeAll { $0 == number }
            setAside.append(number)
        }
        for number in unfinished { discard(number, on: disk) }
        for number in segments where number != newest && number != secondChance && number != damaged {
            if isDone({ () throws(DiskError) in try disk.remove(SegmentName.segment(number).text) }) {
                segments.removeAll { $0 == number }
            }
        }
    }

    /// Removes a file that did not become a segment.
    mutating func discard(_ number: UInt64, on disk: any Disk) {
        unfinished.removeAll { $0 == number }
        if !isDone({ () throws(DiskError) in try disk.remove(SegmentName.unfinished(number).text) }) {
            unfinished.append(number)
        }
    }

    /// Whether it was done. That a superfluous file stays harms nobody, and is seen when space runs out: then appends are
    /// refused, with the reason.
    private func isDone(_ step: () throws(DiskError) -> Void) -> Bool {
        do throws(DiskError) {
            try step()
            return true
        } catch {
            return error.reason == .system(ENOENT)
        }
    }
}
