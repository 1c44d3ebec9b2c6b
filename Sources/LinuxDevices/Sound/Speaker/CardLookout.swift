// Looks for cards on a thread of its own: each of them is asked, and one may hang.

import Loop
import Sound
import Synchronization

/// Tells of all cards at its start, whenever they change, and when it is asked to look.
final class CardLookout: Sendable {
    private let list: any CardList
    private let tell: @Sendable (Result<[Card], AlsaError>) -> Void
    private let wakeUp: WakeUp
    private let isOver = Atomic(false)

    init(_ list: any CardList, tell: @escaping @Sendable (Result<[Card], AlsaError>) -> Void) throws(LoopError) {
        self.list = list
        self.tell = tell
        wakeUp = try WakeUp()
    }

    func start() throws(LoopError) {
        try startThread(named: "cards") { [self] in run() }
    }

    /// Nobody may have told of a change.
    func look() { wakeUp.signal() }

    func end() {
        isOver.store(true, ordering: .releasing)
        wakeUp.signal()
    }

    private func run() {
        var descriptors = wakeUp.descriptors(and: list.changeDescriptor.map { [$0] } ?? [])
        while !isOver.load(ordering: .acquiring) {
            tell(Result { () throws(AlsaError) in try list.cards() })
            if wakeUp.wait(&descriptors, milliseconds: nil) { list.noteChange() }
        }
    }
}
