// Keeps the mixers of all cards as they are to be. No ring waits for a mixer, nor one mixer for another.

import Sound
import Synchronization
import System

/// Raises mixers while they are wanted, and puts them back. A card has a thread while there is something to do to its mixer:
/// one that hangs keeps that thread, and the card plays on as loud as it is.
final class Mixers: Sendable {
    private struct MixerEntry {
        var setting: MixerSetting
        var isThere = true
        /// Something is to be heard, and its card was opened for that.
        var isWanted = false
        /// Somebody has asked since it was last seen to.
        var isAsked = false
        var isAtWork = false
        /// Since when it is being seen to.
        var workUptime = 0.0
        /// Why it could not be raised when that was tried last: for this ring, or for the one before.
        var problem: String?
        /// How often it could not be put back. It is as for a ring until it can.
        var failureCount = 0
    }

    /// A mixer answers in a moment, or hangs.
    private static let timeoutMilliseconds = 2000.0

    /// What so often could not be put back is left until its card comes anew, or the next ring is over.
    private static let attemptsMax = 10

    private let lines = Mutex<[String: MixerEntry]>([:])
    private let memory: MixerMemory
    private let warn: @Sendable (String) -> Void

    /// `directory` is where it is remembered how mixers were; `warn` is called with what is not as it should be, in words.
    init(directory: String?, warn: @escaping @Sendable (String) -> Void) {
        memory = MixerMemory(directory: directory, warn: warn)
        self.warn = warn
    }

    /// Begins to put back what a crash has left.
    func start() {
        memory.read { [self] in ask { _ in true } }
    }

    /// These cards are there: what is still remembered of one can be put back.
    func cardsFound(_ settings: [MixerSetting]) {
        let cards = Set(settings.map(\.card))
        lines.withLock { lines in
            for setting in settings {
                var line = lines[setting.card] ?? MixerEntry(setting: setting)
                line.setting = setting
                // That it could not be set while it was not there is no trouble.
                if !line.isThere { line.problem = nil }
                // One that failed for good before may be in order now.
                line.failureCount = min(line.failureCount, 1)
                lines[setting.card] = line
            }
            for card in lines.keys { lines[card]?.isThere = cards.contains(card) }
        }
        ask { cards.contains($0.setting.card) && !$0.isWanted }
    }

    func raise(_ setting: MixerSetting) {
        let isNew = lines.withLock { lines in
            var line = lines[setting.card] ?? MixerEntry(setting: setting)
            defer { lines[setting.card] = line }
            let isNew = !line.isWanted
            (line.setting, line.isWanted) = (setting, true)
            return isNew
        }
        if isNew { ask { $0.setting.card == setting.card } }
    }

    /// Those that are wanted may not be raised any more, or not yet: a card that came back, a knob that somebody has turned.
    func raiseAgain() { ask(\.isWanted) }

    /// What is put back from now on the next start puts back once more.
    func retainAll() { memory.retainAll() }

    /// They are not wanted any more, but for those of these cards.
    func restore(allBut cards: Set<String>) {
        let ended = lines.withLock { lines in
            let ended = Set(lines.values.filter { $0.isWanted && !cards.contains($0.setting.card) }.map(\.setting.card))
            for card in ended { lines[card]?.isWanted = false }
            return ended
        }
        ask { ended.contains($0.setting.card) }
    }

    /// Those that could not be put back may be by now: a card that was busy, or has come to itself.
    func restoreAgain() { ask { !$0.isWanted && (1..<Mixers.attemptsMax).contains($0.failureCount) } }

    /// Which of them cannot be set, and why: in words. What went wrong at one ring is likely to go wrong at the next.
    var troubles: [String] {
        lines.withLock { lines in
            lines.values.filter(\.isThere).compactMap { line in
                let hangs = line.isAtWork && Uptime.now - line.workUptime > Mixers.timeoutMilliseconds
                return line.problem ?? (hangs ? Mixers.words(line, "it does not answer") : nil)
            }.sorted()
        }
    }

    private static func words(_ line: MixerEntry, _ why: String) -> String {
        let what = line.isWanted ? "as loud as it is to be" : "as it was before the ring"
        return "\(line.setting.card): the mixer is not \(what): \(why)"
    }

    /// Whether each is as its owner left it, and that is written down, as far as that can be.
    var areRestored: Bool {
        let areBack = lines.withLock { lines in
            lines.values.allSatisfy { !$0.isAtWork && !$0.isWanted && $0.failureCount == 0 }
        }
        return areBack && memory.isSettled
    }

    private func ask(_ isMeant: (MixerEntry) -> Bool) {
        let idle = lines.withLock { lines in
            let meant = lines.filter { isMeant($0.value) }.map(\.key)
            let idle = meant.filter { lines[$0]?.isAtWork == false }
            for card in meant {
                lines[card]?.isAsked = true
                if lines[card]?.isAtWork == false { lines[card]?.workUptime = Uptime.now }
                lines[card]?.isAtWork = true
            }
            return idle
        }
        for card in idle {
            do throws(SystemCallError) {
                try startThread(named: "mixer \(card)") { [self] in work(card) }
            } catch {
                // Without another thread it takes a moment here: a card that stays mute would be worse.
                work(card)
            }
        }
    }

    private func work(_ card: String) {
        while let line = nextLine(card) {
            do throws(MixerError) {
                if line.isWanted { try line.setting.raise(memory) } else { try line.setting.restore(memory) }
                lines.withLock { lines in
                    lines[card]?.failureCount = 0
                    if line.isWanted { lines[card]?.problem = nil }
                }
            } catch {
                let words = Mixers.words(line, "\(error)")
                lines.withLock { lines in
                    if line.isWanted { lines[card]?.problem = words } else { lines[card]?.failureCount += 1 }
                }
                warn(words)
            }
        }
    }

    private func nextLine(_ card: String) -> MixerEntry? {
        lines.withLock { lines in
            guard let line = lines[card] else { return nil }
            lines[card]?.isAsked = false
            lines[card]?.isAtWork = line.isAsked
            lines[card]?.workUptime = Uptime.now
            return line.isAsked ? line : nil
        }
    }
}
