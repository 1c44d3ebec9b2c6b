// Looks for cards on a thread of its own: each of them is asked, and one may hang.

import Loop
import Sound
import Synchronization

/// Tells of all cards at its start, whenever they change, and when it is asked to look.
final class CardMonitor: Sendable {
    private let list: any CardList
    private let callback: @Sendable (Result<[Card], AlsaError>) -> Void
    private let wakeUp: WakeUp
    private let isOver = Atomic(false)

    init(_ list: any CardList, callback: @escaping @Sendable (Result<[Card], AlsaError>) -> Void) throws(LoopError) {
        self.list = list
        self.callback = callback
        wakeUp = try WakeUp()
    }

    func start() throws(LoopError) {
        try startThread(named: "cards") { [self] in run() }
    }

    /// Polls the cards: udev may not have reported a change.
    func poll() { wakeUp.signal() }

    func end() {
        isOver.store(true, ordering: .releasing)
        wakeUp.signal()
    }

    private func run() {
        var descriptors = wakeUp.descriptors(and: list.changeDescriptor.map { [$0] } ?? [])
        while !isOver.load(ordering: .acquiring) {
            callback(Result { () throws(AlsaError) in try list.cards() })
            if wakeUp.wait(&descriptors, milliseconds: nil) { list.drainChanges() }
        }
    }
}
