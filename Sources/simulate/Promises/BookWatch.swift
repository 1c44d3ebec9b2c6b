// Promise 4, as far as it is about what was acknowledged: all of it is so, and nothing else is.

import Alarms
import CivilTime
import Engine

extension Watcher {
    /// Compares what the engine shows with the book. What was asked for and not acknowledged may be so as well; of that,
    /// whatever is so goes into the book.
    func compareBook(_ world: World) {
        // What is over, or was by a clock that was ahead, is forgotten.
        let today = { [self] in latestDay($0, $1) }
        let shown = world.shown
        // Unless that is by what was refused, and is undone.
        defer { if requests.isSettled { book.forgetDates(as: model, today) } }
        let isBookRight = shown.agrees(with: book, today)
        if isBookRight, shown.otherSwitches(than: book) == 0 { return }
        let bases = [book] + (isStart ? bookBeforeUnsure.map { [$0] } ?? [] : [])
        var candidates = bases
        for asked in requests.perhaps(self, world) {
            for var trial in bases {
                trial.apply(asked)
                candidates.append(trial)
            }
        }
        // Alarms may have switched themselves off or on: that is judged apart.
        let agreeing = candidates.filter { shown.agrees(with: $0, today) }
        if let closest = agreeing.min(by: { shown.otherSwitches(than: $0) < shown.otherSwitches(than: $1) }) {
            let before = book
            book = closest
            // What a disk shows that takes nothing may be gone at the next start.
            if isStart { bookBeforeUnsure = journal.isUnsure ? bookBeforeUnsure ?? before : nil }
            // An alarm may be on by what was asked for, or as it was before.
            if isBookRight { book.doubt(since: before) }
        } else {
            broke(4, shown.difference(from: book, today))
        }
    }

    /// What was switched off by a mistake of the clock is on again.
    func compareSwitchedOn(_ world: World) {
        for (id, kept) in book.alarms where !kept.alarm.isEnabled {
            guard world.shown.alarm(id)?.isEnabled == true else { continue }
            if !kept.isRaced, !mayBeOnAgain(kept, bestNow(world)) {
                broke(4, "\(id) is on, and nobody has switched it on")
            }
            book.switchOnAgain(id)
        }
    }

    /// Alarms switch themselves off when they have no ring left.
    func compareSwitchedOff(_ world: World) {
        let now = bestNow(world)
        for (id, kept) in book.alarms where kept.alarm.isEnabled {
            guard let isEnabled = world.shown.alarm(id)?.isEnabled else { continue }
            // What rang when its alarm was deleted and made anew has had its turn.
            let next = due.next(id, after: now) { isKnown($0) || sessions.forgotten.contains($0) }
            // That it was on again may not have been written down before a restart.
            // What rings but once has rung, though other days count since then.
            let hasRungOnce =
                kept.alarm.isForFewDays && kept.alarm.dates.isEmpty
                && sessions.hasJustEnded(id, version: kept.version)
            let hasLeft = next?.isSure == true && !isStart && !hasRungOnce
            if !isEnabled {
                let missed = due.lastMissed(id)
                let hasRung =
                    sessions.hasFinished(id) || sessions.hasJustEnded(id)
                    || sessions.forgotten.contains { $0.alarm == id }
                let isWrong = hasLeft || missed == nil && !hasRung
                // One that only names days goes on: its owner will name others.
                if !kept.alarm.isForFewDays || kept.alarm.time == nil || isWrong && !kept.isRaced {
                    broke(4, "\(id) is off, and nobody has switched it off")
                }
                book.switchOff(id, missed.map { .missed($0) } ?? .rung)
            } else if kept.alarm.isForFewDays, kept.alarm.time != nil, kept.isCertain, next == nil,
                book.settings.isEnabled,
                clock.changeCount == 0,
                sessions.finishes(id, version: kept.version),
                // What is left out may be left out no longer.
                due.firstRing(id, after: now, book.leavingNothingOut(of: id), world, isKnown: { isKnown($0) }) == nil
            {
                broke(4, "\(id) has rung for the last time, and is on still")
            }
        }
    }

    private func mayBeOnAgain(_ kept: Book.Kept, _ now: Int) -> Bool {
        switch kept.off {
        case .missed(let second) where second * 1000 > now - due.windowSeconds(kept.alarm.id) * 1000: true
        // What was asked for before it was switched off became true after.
        case .missed where bookBefore.revision != book.revision: true
        // What nobody could write down was not so.
        case .missed, .rung: isStart && model.alarms[kept.alarm.id]?.alarm.isEnabled == true
        // What was asked for before it was switched off became true after.
        case nil: bookBefore.alarms[kept.alarm.id].map { $0.off != nil && $0.version != kept.version } ?? false
        }
    }
}

extension Shown {
    /// How many alarms are on that are off in the book, or the other way round.
    fileprivate func otherSwitches(than book: Book) -> Int {
        alarms.count { book.alarms[$0.id]?.alarm.isEnabled != $0.isEnabled }
    }

    /// Whether all is as it is in the book, but for which alarms are on.
    fileprivate func agrees(with book: Book, _ today: (Alarm, Book) -> CivilDate) -> Bool {
        alarms.count == book.alarms.count && codes.count == book.codes.count && settings == book.settings
            && calendars == book.calendars && codes.allSatisfy { book.codes[$0.label] == $0 }
            && alarms.allSatisfy { shown in
                guard let kept = book.alarms[shown.id] else { return false }
                // What was over when it was saved, in another zone, is forgotten.
                return kept.alarm.isShown(as: shown, max(today(kept.alarm, book), kept.today))
                    && kept.start.mayBe(shown)
            }
    }

    fileprivate func difference(from book: Book, _ today: (Alarm, Book) -> CivilDate) -> String {
        for alarm in alarms {
            guard let kept = book.alarms[alarm.id] else { return "there is \(alarm.id), and nobody wants it" }
            if !kept.alarm.isShown(as: alarm, max(today(kept.alarm, book), kept.today)) {
                return "\(alarm.json) was acknowledged as \(kept.alarm.json)"
            }
            if !kept.start.mayBe(alarm) { return "\(alarm.json) counts from another day than \(kept.start)" }
        }
        if alarms.count != book.alarms.count {
            return "the alarms are \(alarms.map(\.id)), of \(book.alarms.keys.sorted())"
        }
        if settings != book.settings { return "\(settings) were acknowledged as \(book.settings)" }
        if calendars != book.calendars { return "the calendars are others than were acknowledged" }
        return "the codes are \(codes.map(\.label)), acknowledged were \(book.codes.keys.sorted())"
    }
}

extension Alarm {
    /// Whether this is what an owner is shown, but for whether it is on.
    fileprivate func isShown(as shown: Alarm, _ today: CivilDate) -> Bool {
        var (alarm, shown) = (self, shown.plain)
        alarm.isEnabled = shown.isEnabled
        if alarm == shown { return true }
        return alarm.forgettingDates(before: today) == shown.forgettingDates(before: today)
    }
}
