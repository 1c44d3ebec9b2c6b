// The memory of the mixers' original levels. It survives a crash, so that the next start restores them.

import Glibc
import Sound
import Synchronization
import System

/// The original levels of all mixers that are not as their owner left them, mirrored to a directory. Callers
/// do not wait for the disk: a thread writes the changes.
final class MixerMemory: Sendable {
    private struct State {
        /// By file name.
        var levels: [String: MixerLevels] = [:]
        /// The files that differ from `levels`.
        var stale: Set<String> = []
        var isRead: Bool
        /// True once records are kept even after their mixers are restored.
        var isForGood = false
        var whenRead: (@Sendable () -> Void)?
    }

    private let directory: MixerDirectory?
    private let state: Mutex<State>
    private let threads = KeyedThreads(named: "mixer memory")
    private let warn: @Sendable (String) -> Void

    /// Without a directory nothing survives a crash. `warn` is called with a text for each problem.
    init(directory: String?, warn: @escaping @Sendable (String) -> Void) {
        self.directory = directory.map { MixerDirectory(path: $0) }
        state = Mutex(State(isRead: directory == nil))
        self.warn = warn
    }

    /// Reads the files that a crash left, unless a ring has read them already. Calls back when done.
    func read(whenRead: @escaping @Sendable () -> Void) {
        let isRead = state.withLock { state in
            if !state.isRead { state.whenRead = whenRead }
            return state.isRead
        }
        if isRead { whenRead() } else { sync() }
    }

    /// Returns the levels to restore, or nil if the mixer is as its owner left it.
    func levels(of card: String) -> MixerLevels? {
        state.withLock { $0.levels[MixerDirectory.name(of: card)] }
    }

    /// Records a mixer's levels before a change. An element that is recorded already keeps its older values.
    func remember(_ levels: MixerLevels, of card: String) {
        change(card) { before in before?.adding(levels) ?? levels }
    }

    /// Keeps every record from now on.
    func retainAll() { state.withLock { $0.isForGood = true } }

    /// Removes the record after a mixer was restored to `before`, except for `rest`. If the record changed
    /// meanwhile, because older levels were read from the disk, it stays.
    func forget(_ before: MixerLevels, but rest: MixerLevels, of card: String) {
        guard !state.withLock({ $0.isForGood }) else { return }
        change(card) { known in
            guard known == before else { return known }
            return rest.elements.isEmpty ? nil : rest
        }
    }

    /// True if the directory is up to date, as far as the disk allows.
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
            // The levels on the disk are older than those recorded since the start.
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
