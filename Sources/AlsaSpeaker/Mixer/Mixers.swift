// Keeps the mixers of all cards as they are to be. No ring waits for a mixer, nor one mixer for another.

import Sound
import Synchronization
import System

/// Raises mixers while they are wanted, and puts them back. A mixer that hangs keeps its own thread, and its card plays on as
/// loud as it is.
final class Mixers: Sendable {
    private struct MixerEntry {
        var setting: MixerSetting
        var isThere = true
        /// Something is to be heard, and its card was opened for that.
        var isWanted = false
        /// Why it could not be raised when that was tried last: for this ring, or for the one before.
        var problem: String?
        /// How often it could not be put back. It is as for a ring until it can.
        var failureCount = 0
    }

    /// A mixer answers in a moment, or hangs.
    private static let timeoutMilliseconds = 2000.0

    /// What so often could not be put back is left until its card comes anew, or the next ring is over.
    private static let attemptsMax = 10

    /// By card.
    private let entries = Mutex<[String: MixerEntry]>([:])
    private let threads = KeyedThreads(named: "mixer")
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
        entries.withLock { entries in
            for setting in settings {
                var entry = entries[setting.card] ?? MixerEntry(setting: setting)
                entry.setting = setting
                // That it could not be set while it was not there is no trouble.
                if !entry.isThere { entry.problem = nil }
                // One that failed for good before may be in order now.
                entry.failureCount = min(entry.failureCount, 1)
                entries[setting.card] = entry
            }
            for card in entries.keys { entries[card]?.isThere = cards.contains(card) }
        }
        ask { cards.contains($0.setting.card) && !$0.isWanted }
    }

    func raise(_ setting: MixerSetting) {
        let isNew = entries.withLock { entries in
            var entry = entries[setting.card] ?? MixerEntry(setting: setting)
            defer { entries[setting.card] = entry }
            let isNew = !entry.isWanted
            entry.setting = setting
            entry.isWanted = true
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
        let ended = entries.withLock { entries in
            let ended = Set(
                entries.values.filter { $0.isWanted && !cards.contains($0.setting.card) }.map(\.setting.card))
            for card in ended { entries[card]?.isWanted = false }
            return ended
        }
        ask { ended.contains($0.setting.card) }
    }

    /// Those that could not be put back may be by now: a card that was busy, or has come to itself.
    func restoreAgain() { ask { !$0.isWanted && (1..<Mixers.attemptsMax).contains($0.failureCount) } }

    /// Which of them cannot be set, and why: in words. What went wrong at one ring is likely to go wrong at the next.
    var warnings: [String] {
        entries.withLock { entries in
            entries.values.filter(\.isThere).compactMap { entry in
                let hangs = threads.runningMilliseconds(entry.setting.card) ?? 0 > Mixers.timeoutMilliseconds
                return entry.problem ?? (hangs ? Mixers.words(entry, "it does not answer") : nil)
            }.sorted()
        }
    }

    private static func words(_ entry: MixerEntry, _ why: String) -> String {
        let what = entry.isWanted ? "as loud as it is to be" : "as it was before the ring"
        return "\(entry.setting.card): the mixer is not \(what): \(why)"
    }

    /// Whether each is as its owner left it, and that is written down, as far as that can be.
    var areRestored: Bool {
        // Work that ends may still change an entry, and what is remembered.
        guard threads.areIdle else { return false }
        let areBack = entries.withLock { $0.values.allSatisfy { !$0.isWanted && $0.failureCount == 0 } }
        return areBack && memory.isSettled
    }

    private func ask(_ isMeant: (MixerEntry) -> Bool) {
        let cards = entries.withLock { entries in entries.filter { isMeant($0.value) }.map(\.key) }
        for card in cards { threads.request(card) { [self] in set(card) } }
    }

    /// Raises the mixer of a card or puts it back, as it is wanted now.
    private func set(_ card: String) {
        guard let entry = entries.withLock({ $0[card] }) else { return }
        do throws(MixerError) {
            if entry.isWanted { try entry.setting.raise(memory) } else { try entry.setting.restore(memory) }
            entries.withLock { entries in
                entries[card]?.failureCount = 0
                if entry.isWanted { entries[card]?.problem = nil }
            }
        } catch {
            let words = Mixers.words(entry, "\(error)")
            entries.withLock { entries in
                if entry.isWanted { entries[card]?.problem = words } else { entries[card]?.failureCount += 1 }
            }
            warn(words)
        }
    }
}
