// The query of every card's properties, with a timeout for cards that hang.

import Sound
import Synchronization
import System

/// Queries each card on a thread of its own. A card that hangs keeps its thread and is not queried again.
final class CardSurvey: Sendable {
    /// The card of a number, or nil if it cannot play. An error means that the process lacks resources.
    typealias CardResult = Result<Card?, AlsaError>

    private final class CardQuery: Sendable {
        let answer = Mutex<CardResult?>(nil)
        /// The card according to its previous answer.
        let last: Card?

        init(last: Card?) {
            self.last = last
        }

        var isOpen: Bool { answer.withLock { $0 == nil } }

        var card: Card? {
            if case .success(let card)? = answer.withLock({ $0 }) { card } else { last }
        }
    }

    private let ask: @Sendable (Int32) -> CardResult
    private let guess: @Sendable (Int32) -> Card?
    private let questions = Mutex<[Int32: CardQuery]>([:])

    /// The time for all answers. A query may take longer in the system, but must not delay every caller.
    static let timeoutMilliseconds = 250.0

    /// `ask` may block for any time. `guess` identifies a card that does not answer in time.
    init(ask: @escaping @Sendable (Int32) -> CardResult, guess: @escaping @Sendable (Int32) -> Card?) {
        (self.ask, self.guess) = (ask, guess)
    }

    /// Returns the cards of these numbers, by their answers or by a guess.
    func cards(_ numbers: [Int32]) throws(AlsaError) -> [Card] {
        let wakeUp: WakeUp
        do throws(SystemCallError) {
            wakeUp = try WakeUp()
        } catch {
            throw AlsaError("identify the sound cards", -error.errorNumber)
        }
        let asked = numbers.map { (number: $0, question: question($0, wakeUp)) }
        let end = Uptime.now + CardSurvey.timeoutMilliseconds
        while Uptime.now < end, asked.contains(where: \.question.isOpen) { wakeUp.wait(milliseconds: end - Uptime.now) }
        var cards: [Card] = []
        for (number, question) in asked {
            let answer = question.answer.withLock { $0 } ?? .success(question.last ?? guess(number))
            if let card = try answer.get() { cards.append(card) }
        }
        return cards
    }

    /// Starts a query, unless one is still running.
    private func question(_ number: Int32, _ wakeUp: WakeUp) -> CardQuery {
        let (question, isNew) = questions.withLock { questions in
            if let question = questions[number], question.isOpen { return (question, false) }
            let question = CardQuery(last: questions[number]?.card)
            questions[number] = question
            return (question, true)
        }
        guard isNew else { return question }
        runOnThread(named: "card \(number)") { [ask] in
            let answer = ask(number)
            question.answer.withLock { $0 = answer }
            wakeUp.signal()
        }
        return question
    }
}
