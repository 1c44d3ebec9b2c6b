// What clocks that are set, disks that are slow and deaths of the service make of what the people know.

import Alarms

extension Book {
    /// The clock shows an earlier time than before: what was saved later counts from now. Where that may not have been
    /// noticed, it is not certain.
    mutating func clockWasSetBack(to now: Int, by milliseconds: Int, isNoticed: Bool) {
        revision += 1
        for (id, kept) in alarms {
            let last = isNoticed ? min(kept.since.upperBound, now) : kept.since.upperBound
            alarms[id]?.counts(since: min(kept.since.lowerBound, now)...last)
            // By a clock that nobody trusted it says nothing.
            if kept.since.upperBound > now, kept.doubt == nil, !kept.isDoubtLost {
                alarms[id]?.savedAt = kept.savedAt ?? kept.since
                // Nor does the day say anything from which its intervals count, if that was the day on which it was saved.
                if case .days = kept.start { alarms[id]?.start = .unknown }
            }
        }
        hasUnkept = true
        for id in alarms.keys { alarms[id]?.over = nil }
        changeAll { $0.clockWasSetBack(to: now, by: milliseconds) }
    }

    /// Changes when everything was changed that alarms depend on besides.
    private mutating func changeAll(_ change: (inout ChangedAt) -> Void) {
        changes = changes.mapValues { old in
            var new = old
            change(&new)
            return new
        }
    }

    /// The clock was set forward: what was saved by the right one counts from then. Where nobody knows whether it is right
    /// now, what is late by it rings still.
    mutating func clockWasSetAhead(from old: Int, to now: Int, isSure: Bool) {
        if isSure {
            // A second more or less is how they were rounded.
            changeAll { $0.clockWasSetRight(past: old - 1000...now + 1000) }
            hasUnkept = true
            revision += 1
        }
        for (id, kept) in alarms {
            // A second more or less is how they were rounded.
            guard let savedAt = kept.savedAt, savedAt.upperBound >= old - 1000, savedAt.lowerBound <= now + 1000
            else { continue }
            revision += 1
            hasUnkept = true
            alarms[id]?.isRightUnkept = true
            // Which day its intervals count from goes with that, if it was the day on which it was saved.
            if isSure, case .days = kept.start { alarms[id]?.start = .unknown }
            if savedAt.lowerBound > old + 1000, savedAt.upperBound <= now {
                let late = now - (max(kept.alarm.lateWindowSeconds, DueWatch.lateSecondsMin) + 1) * 1000
                let first = max(kept.since.lowerBound, min(savedAt.lowerBound, late - 1000))
                let last = max(kept.since.upperBound, min(savedAt.upperBound, late + 1000))
                alarms[id]?.counts(since: isSure ? savedAt : first...last)
                alarms[id]?.savedAt = nil
                // The clock was set while it was being saved: by which time that was, nobody knows.
                if savedAt.count > 2000 { alarms[id]?.isUncertain(until: savedAt.upperBound) }
            } else {
                alarms[id]?.counts(since: kept.since.lowerBound...max(kept.since.upperBound, savedAt.upperBound))
                alarms[id]?.isUncertain(until: now)
            }
        }
    }

    /// Whatever has happened is durable.
    mutating func allIsKept() {
        guard hasUnkept else { return }
        hasUnkept = false
        changeAll { $0.allIsKept() }
        for id in alarms.keys {
            alarms[id]?.sinceUnkept = nil
            alarms[id]?.isRightUnkept = false
            alarms[id]?.isTrustUnkept = false
            alarms[id]?.isRaced = false
        }
    }

    /// A clock that nobody trusted was set: what was saved by it was saved as long ago as it was. A restart that does not know
    /// of that goes by when it was.
    mutating func doubtfulClockWasSet(to now: Int, at world: Int) {
        for (id, kept) in alarms {
            if kept.isDoubtLost { alarms[id]?.isUncertain(until: now) }
            guard let doubt = kept.doubt else { continue }
            revision += 1
            hasUnkept = true
            var since = now - (world - doubt.lowerBound)...now - (world - doubt.upperBound)
            if kept.mayOwe {
                let oldest = now - (kept.alarm.lateWindowSeconds + 3) * 1000
                since = min(since.lowerBound, oldest)...since.upperBound
                alarms[id]?.isUncertain(until: now)
            }
            alarms[id]?.counts(since: since)
        }
    }

    /// Nobody knows whether an alarm was saved once more as it is, and perhaps not even how long ago that was.
    mutating func isDoubtful(_ id: Alarm.ID, at now: Int, isDoubtLost: Bool) {
        guard let kept = alarms[id] else { return }
        revision += 1
        if isDoubtLost { alarms[id]?.isDoubtLost = true }
        if kept.start == .since, kept.alarm.recurrence?.countsFromStart == true { alarms[id]?.start = .unknown }
        // If it was, what has rung is another's.
        if kept.spent != nil {
            alarms[id]?.spent = nil
            alarms[id]?.isBaseUnsure = true
        }
        alarms[id]?.isUncertain(until: now)
        alarms[id]?.since = kept.since.lowerBound...max(kept.since.upperBound, now)
    }

    /// The time is known: what was saved nobody knows when is late if it may be.
    mutating func settleDoubts(at now: Int) {
        for (id, kept) in alarms where kept.isDoubtLost {
            revision += 1
            let first = min(kept.since.lowerBound, now - (kept.alarm.lateWindowSeconds + 3) * 1000)
            alarms[id]?.since = first...max(kept.since.upperBound, now)
            alarms[id]?.isUncertain(until: now)
            alarms[id]?.isDoubtLost = false
            if kept.start == .since, kept.alarm.recurrence?.countsFromStart == true { alarms[id]?.start = .unknown }
        }
    }

    /// Nobody knows since when anything counts.
    mutating func isUncertain(until now: Int) {
        revision += 1
        for id in alarms.keys { alarms[id]?.isUncertain(until: now) }
    }

    /// The time is known: what is saved now is saved by it.
    mutating func clockIsTrusted() {
        for (id, kept) in alarms where kept.doubt != nil {
            alarms[id]?.doubt = nil
            alarms[id]?.isTrustUnkept = true
            hasUnkept = true
        }
    }

    /// The service died: how long ago something was saved by a clock that nobody trusted, nobody knows any more.
    mutating func died() {
        changeAll { $0.died() }
        for (id, kept) in alarms {
            if let since = kept.sinceUnkept {
                alarms[id]?.since = since
                if kept.isRightUnkept { alarms[id]?.isUncertain(until: since.upperBound) }
            }
            if kept.isTrustUnkept { alarms[id]?.isDoubtLost = true }
        }
        allIsKept()
        for (id, kept) in alarms where kept.doubt != nil {
            alarms[id]?.doubt = nil
            alarms[id]?.isDoubtLost = true
            revision += 1
        }
    }

    /// The service has started again, and does not know how long ago that was either.
    mutating func restarted(at now: Int) {
        for (id, kept) in alarms where kept.isDoubtLost {
            revision += 1
            alarms[id]?.isUncertain(until: now)
        }
    }
}
