// The parser of the words for the time and days of an alarm.

import Alarms
import CivilTime
import Text

/// A cursor over the words. The time of day, and additions such as the start, the end and the count, may
/// stand anywhere. The reader removes them first, and parses the days from left to right.
struct WhenReader {
    var rest: ArraySlice<String> = []
    private var rule: String?
    private var time: ClockTime?
    private var start: CivilDate?
    private var end = Recurrence.End.never
    private var skip: Recurrence.Skip?
    private var weekStart: Weekday?

    init(_ words: [String]) throws(WhenError) {
        var singles: [String] = []
        for word in words.flatMap({ $0.split(whereSeparator: \.isWhitespace) }) {
            // A rule stays whole, because its lists have commas.
            if word.uppercased().hasPrefix("FREQ=") || word.uppercased().hasPrefix("RRULE:") {
                guard rule == nil else { throw WhenError(reason: "Give one rule, not two") }
                rule = word.uppercased()
            } else {
                singles += word.lowercased().split(separator: ",").map(String.init)
            }
        }
        var kept: [String] = []
        for word in singles where !WhenWords.fillers.contains(word) {
            // "7 am" becomes one word.
            if word == "am" || word == "pm", let last = kept.last, WhenWords.time(last + word) != nil {
                kept[kept.count - 1] = last + word
            } else {
                kept.append(word)
            }
        }
        rest = kept[...]
    }

    mutating func when() throws(WhenError) -> When {
        if rest.first == "in" { return When(delaySeconds: try delay()) }
        try takeTime()
        try takeSuffixes()
        var days: When.Days?
        if let rule {
            _ = takePhrase(["by", "rule"])
            days = .rule(try parsed(rule))
        } else if !rest.isEmpty {
            days = try self.days()
        }
        if let word = rest.first { throw notUnderstood(word) }
        guard let days else {
            guard !saysMore else {
                throw WhenError(
                    reason: "'from', 'until' and 'times' need days that repeat, such as 'daily until 2026-12-24'")
            }
            return When(time: time, days: nil)
        }
        return When(time: time, days: try complete(days), start: start)
    }

    /// Parses `in 20min` or `in 1 hour 30 minutes`. No other words may follow.
    private func delay() throws(WhenError) -> Int {
        guard let seconds = LengthText.seconds(rest.dropFirst().joined(), bare: 60), seconds > 0 else {
            throw WhenError(
                reason:
                    "Say how long: 'in 20min', 'in 1h30' or 'in 8 hours', and nothing after it")
        }
        return seconds
    }

    // MARK: Words that may stand anywhere

    private mutating func takeTime() throws(WhenError) {
        let times = rest.filter(WhenWords.isMeantAsTime)
        guard let word = times.first else { return }
        guard times.count == 1 else {
            throw WhenError(
                reason:
                    "An alarm has one time, not \(times[0].quoted) and \(times[1].quoted). Add two alarms.")
        }
        time = WhenWords.time(word)
        guard time != nil else { throw WhenError(reason: "\(word.quoted) is not a time of day such as 7:00 or 19:30") }
        rest.removeAll { $0 == word }
    }

    private mutating func takeSuffixes() throws(WhenError) {
        if takePhrase(["or", "day", "after", "if", "there", "is", "none"]) { skip = .forward }
        if takePhrase(["left", "out", "if", "there", "is", "none"]) { skip = .omit }
        if let day = takeWord(behind: ["weeks", "beginning"], WhenWords.weekday) { weekStart = day }
        for word in ["from", "starting", "beginning", "since"] {
            guard let date = takeWord(behind: [word], \.self) else { continue }
            start = try self.date(date, behind: word)
        }
        if let word = takeWord(behind: ["until"], \.self) { end = .date(try date(word, behind: "until")) }
        if let index = rest.firstIndex(of: "times") {
            guard index > rest.startIndex, let count = WhenWords.number(rest[index - 1]) else {
                throw WhenError(reason: "\"times\" needs a number before it, such as '10 times'")
            }
            try endAfter(count)
            rest.removeSubrange(index - 1...index)
        }
        // "once" alone gives the days. After other days it means one ring.
        if rest.count > 1, rest.last == "once" {
            try endAfter(1)
            rest.removeLast()
        }
    }

    private mutating func endAfter(_ count: Int) throws(WhenError) {
        guard end == .never else { throw WhenError(reason: "Give either 'until' or 'times', not both") }
        end = .count(count)
    }

    private func date(_ word: String, behind name: String) throws(WhenError) -> CivilDate {
        guard let date = CivilDate(word) else {
            throw WhenError(reason: "\(name.quoted) needs a date such as 2026-12-24, not \(word.quoted)")
        }
        return date
    }

    /// Removes the words of a phrase. Returns false if the phrase is missing.
    private mutating func takePhrase(_ phrase: [String]) -> Bool {
        guard let found = rest.indices.first(where: { rest[$0...].starts(with: phrase) }) else { return false }
        rest.removeSubrange(found..<found + phrase.count)
        return true
    }

    /// Removes a phrase and the word after it. Returns that word parsed, or nil if that fails.
    private mutating func takeWord<Value>(behind phrase: [String], _ read: (String) -> Value?) -> Value? {
        guard let found = rest.indices.first(where: { rest[$0...].starts(with: phrase) }),
            found + phrase.count < rest.endIndex, let value = read(rest[found + phrase.count])
        else { return nil }
        rest.removeSubrange(found...found + phrase.count)
        return value
    }

    private var saysMore: Bool { start != nil || end != .never || skip != nil || weekStart != nil }

    private func complete(_ days: When.Days) throws(WhenError) -> When.Days {
        guard case .rule(var recurrence) = days else {
            guard !saysMore else {
                throw WhenError(reason: "An alarm that rings once cannot have 'from', 'until' or 'times'")
            }
            return days
        }
        if end != .never {
            guard recurrence.end == .never else { throw WhenError(reason: "The rule has an end already") }
            recurrence.end = end
        }
        if let skip { recurrence.skip = skip }
        if let weekStart { recurrence.weekStart = weekStart }
        // Parses the rule once more, since the parser refuses impossible rules.
        return .rule(try parsed(recurrence.description))
    }

    private func parsed(_ rule: String) throws(WhenError) -> Recurrence {
        do {
            return try Recurrence(parsing: rule)
        } catch {
            let reason = "\(error)"
            throw WhenError(
                reason: "\(OptionNames.isPredicate(reason) ? "The rule" : "The rule is not valid:") \(reason)")
        }
    }

    // MARK: The cursor

    mutating func take(_ words: String...) -> Bool {
        guard let first = rest.first, words.contains(first) else { return false }
        rest.removeFirst()
        return true
    }

    mutating func take<Value>(_ read: (String) -> Value?) -> Value? {
        guard let first = rest.first, let value = read(first) else { return nil }
        rest.removeFirst()
        return value
    }

    var second: String? { rest.dropFirst().first }

    func notUnderstood(_ word: String) -> WhenError {
        if WhenWords.wholeDays.contains(word) || CivilDate(word) != nil {
            return WhenError(reason: "\(word.quoted) is not expected: the days are given already")
        }
        if WhenWords.isMeantAsDate(word) { return WhenError(reason: "There is no day \(word.quoted)") }
        if [word, second].contains(where: { $0.flatMap(WhenWords.month) != nil }) {
            return notUnderstood(word, "For one day write 2026-12-24, for every year 'yearly 24 dec'")
        }
        if time == nil, let meant = WhenWords.timeMeant(word) { return notUnderstood(word, "Did you mean \(meant)?") }
        // A known word is not misspelt, but in the wrong place.
        let isKnown = WhenWords.vocabulary.contains(word) || WhenWords.weekdays(word) != nil
        let near = isKnown ? nil : WhenWords.near(word)
        if let near { return notUnderstood(word, "Did you mean \"\(near)\"?") }
        // An unknown word may be meant as the name of the alarm.
        let isName = !isKnown && word.first?.isLetter == true
        return notUnderstood(word, isName ? "A name needs --label, and quotes if it has several words" : nil)
    }

    private func notUnderstood(_ word: String, _ hint: String?) -> WhenError {
        WhenError(reason: sentences("\(word.quoted) is not understood here", hint))
    }
}
