// The mixers of all cards. No ring waits for a mixer, and no mixer for another.

import Sound
import Synchronization
import System

/// Raises mixers while they are wanted, and restores them afterwards. A mixer that hangs blocks only its own
/// thread; its card keeps playing at its current volume.
final class Mixers: Sendable {
    private struct MixerEntry {
        var setting: MixerSetting
        var isThere = true
        /// True while a ring is near or playing and this card is open for it.
        var isWanted = false
        /// The reason why the last attempt to raise the mixer failed, in this ring or the previous one.
        var problem: String?
        /// The number of failed restorations. Until one succeeds, the mixer stays raised.
        var failureCount = 0
    }

    /// A mixer that takes longer than this hangs.
    private static let timeoutMilliseconds = 2000.0

    /// After this many failures a mixer is left alone until its card is listed again or the next ring ends.
    private static let attemptsMax = 10

    /// By card.
    private let entries = Mutex<[String: MixerEntry]>([:])
    private let threads = KeyedThreads(named: "mixer")
    private let memory: MixerMemory
    private let warn: @Sendable (String) -> Void

    /// `directory` holds the saved levels. `warn` is called with a text for each problem.
    init(directory: String?, warn: @escaping @Sendable (String) -> Void) {
        memory = MixerMemory(directory: directory, warn: warn)
        self.warn = warn
    }

    /// Starts to restore the mixers that a crash left raised.
    func start() {
        memory.read { [self] in ask { _ in true } }
    }

    /// Updates the list of cards, and restores those with saved levels that are not wanted.
    func cardsFound(_ settings: [MixerSetting]) {
        let cards = Set(settings.map(\.card))
        entries.withLock { entries in
            for setting in settings {
                var entry = entries[setting.card] ?? MixerEntry(setting: setting)
                entry.setting = setting
                // A problem from before the card was removed no longer applies.
                if !entry.isThere { entry.problem = nil }
                // A mixer that had failed too often may work now.
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

    /// Raises all wanted mixers once more. A card may have returned, or its mixer may have been turned down.
    func raiseAgain() { ask(\.isWanted) }

    /// Keeps all saved levels, so that the next start restores them once more.
    func retainAll() { memory.retainAll() }

    /// Marks all mixers unwanted except those of these cards, and restores them.
    func restore(allBut cards: Set<String>) {
        let ended = entries.withLock { entries in
            let ended = Set(
                entries.values.filter { $0.isWanted && !cards.contains($0.setting.card) }.map(\.setting.card))
            for card in ended { entries[card]?.isWanted = false }
            return ended
        }
        ask { ended.contains($0.setting.card) }
    }

    /// Retries the mixers that could not be restored, because their card was busy, for example.
    func restoreAgain() { ask { !$0.isWanted && (1..<Mixers.attemptsMax).contains($0.failureCount) } }

    /// A text for each mixer that cannot be set. A failure in one ring is likely to recur in the next.
    var warnings: [String] {
        entries.withLock { entries in
            entries.values.filter(\.isThere).compactMap { entry in
                let hangs = threads.runningMilliseconds(entry.setting.card) ?? 0 > Mixers.timeoutMilliseconds
                return entry.problem ?? (hangs ? Mixers.text(entry, "it does not answer") : nil)
            }.sorted()
        }
    }

    private static func text(_ entry: MixerEntry, _ why: String) -> String {
        let state = entry.isWanted ? "is not at the configured volume" : "still has the volume of the ring"
        return "The mixer of \(entry.setting.card) \(state) (\(why))"
    }

    /// True if every mixer is restored and the directory is up to date, as far as possible.
    var areRestored: Bool {
        // Work that is about to end may still change an entry or the memory.
        guard threads.areIdle else { return false }
        let areBack = entries.withLock { $0.values.allSatisfy { !$0.isWanted && $0.failureCount == 0 } }
        return areBack && memory.isSettled
    }

    private func ask(_ isMeant: (MixerEntry) -> Bool) {
        let cards = entries.withLock { entries in entries.filter { isMeant($0.value) }.map(\.key) }
        for card in cards { threads.request(card) { [self] in set(card) } }
    }

    /// Raises or restores a card's mixer, depending on whether it is wanted now.
    private func set(_ card: String) {
        guard let entry = entries.withLock({ $0[card] }) else { return }
        do throws(MixerError) {
            if entry.isWanted { try entry.setting.raise(memory) } else { try entry.setting.restore(memory) }
            entries.withLock { entries in
                entries[card]?.failureCount = 0
                if entry.isWanted { entries[card]?.problem = nil }
            }
        } catch {
            let text = Mixers.text(entry, "\(error)")
            entries.withLock { entries in
                if entry.isWanted { entries[card]?.problem = text } else { entries[card]?.failureCount += 1 }
            }
            warn(text)
        }
    }
}
