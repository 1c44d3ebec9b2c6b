// Remembers how mixers were, so that they can be put back even by the next start after a crash.

import Glibc
import Sound
import Synchronization
import System

/// How those mixers were that are not as their owner left them, and a directory that says so to the next start. Nobody
/// waits for the disk: a thread brings the directory to what is held here.
final class MixerMemory: Sendable {
    private struct State {
        /// By the names of their files.
        var levels: [String: MixerLevels] = [:]
        /// Files that are not as they should be.
        var stale: Set<String> = []
        var isRead: Bool
        /// What is remembered stays so, whatever is put back.
        var isForGood = false
        var whenRead: (@Sendable () -> Void)?
    }

    private let directory: MixerDirectory?
    private let state: Mutex<State>
    private let threads = KeyedThreads(named: "mixer memory")
    private let warn: @Sendable (String) -> Void

    /// The files in that directory; without one, nothing survives a crash. `warn` is called with what goes wrong, in words.
    init(directory: String?, warn: @escaping @Sendable (String) -> Void) {
        self.directory = directory.map { MixerDirectory(path: $0) }
        state = Mutex(State(isRead: directory == nil))
        self.warn = warn
    }

    /// Reads what a crash has left, unless that was done for a ring already, and says when that is known.
    func read(whenRead: @escaping @Sendable () -> Void) {
        let isRead = state.withLock { state in
            if !state.isRead { state.whenRead = whenRead }
            return state.isRead
        }
        if isRead { whenRead() } else { sync() }
    }

    /// How a mixer is to be put back; nothing where it is as its owner left it.
    func levels(of card: String) -> MixerLevels? {
        state.withLock { $0.levels[MixerDirectory.name(of: card)] }
    }

    /// Remembers how a mixer is before it is changed. What is remembered of an element already is older, and stays.
    func remember(_ levels: MixerLevels, of card: String) {
        change(card) { before in before?.adding(levels) ?? levels }
    }

    /// Forgets nothing from now on.
    func retainAll() { state.withLock { $0.isForGood = true } }

    /// The mixer was put back to `before`, but for the rest. What has been read from the disk meanwhile is older, and stays.
    func forget(_ before: MixerLevels, but rest: MixerLevels, of card: String) {
        guard !state.withLock({ $0.isForGood }) else { return }
        change(card) { known in
            guard known == before else { return known }
            return rest.elements.isEmpty ? nil : rest
        }
    }

    /// Whether the directory is as it is to be, or as far as the disk lets it.
    var isSettled: Bool { threads.areIdle }

    private func change(_ card: String, _ change: (MixerLevels?) -> MixerLevels?) {
        let name = MixerDirectory.name(of: card)
        let isNew = state.withLock { state in
            let new = change(state.levels[name])
            guard new != state.levels[name] else { return false }
            state.levels[name] = new
            state.stale.insert(name)
            return true
        }
        if isNew { sync() }
    }

    private func sync() {
        guard let directory else { return }
        threads.request("files") { [self] in
            if !state.withLock({ $0.isRead }) { read(directory) }
            while let name = state.withLock({ $0.stale.popFirst() }) { write(name, to: directory) }
        }
    }

    private func read(_ directory: MixerDirectory) {
        let left = directory.read { warn("\($0)") }
        let whenRead = state.withLock { state in
            // What was on the disk is older than what was seen since.
            state.levels.merge(left) { seen, left in left.adding(seen) }
            state.stale.subtract(left.filter { $0.value == state.levels[$0.key] }.keys)
            state.isRead = true
            return state.whenRead.take()
        }
        whenRead?()
    }

    private func write(_ name: String, to directory: MixerDirectory) {
        do throws(MixerError) {
            if let levels = state.withLock({ $0.levels[name] }) {
                try directory.write(levels, name)
            } else {
                try directory.remove(name)
            }
        } catch {
            warn("\(error)")
        }
    }
}
