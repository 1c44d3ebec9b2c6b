// Asks every card what it is, and waits for none that does not answer.

import Sound
import Synchronization
import System

/// Each card is asked on a thread of its own: one that hangs keeps that thread, and is not asked again until it has answered.
final class CardSurvey: Sendable {
    /// The card of that number; nothing where it cannot be played on, or the system does not let anybody ask.
    typealias CardResult = Result<Card?, AlsaError>

    private final class CardQuery: Sendable {
        let answer = Mutex<CardResult?>(nil)
        /// What the card was when it answered last.
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

    /// How long a card may think. It may be a good while in the system, but not each time that somebody asks.
    static let timeoutMilliseconds = 250.0

    /// `ask` may take as long as it likes; `guess` answers at once what a card is that does not say so in time.
    init(ask: @escaping @Sendable (Int32) -> CardResult, guess: @escaping @Sendable (Int32) -> Card?) {
        (self.ask, self.guess) = (ask, guess)
    }

    /// The cards of these numbers, as they say or as it is guessed.
    func cards(_ numbers: [Int32]) throws(AlsaError) -> [Card] {
        let wakeUp: WakeUp
        do throws(SystemCallError) {
            wakeUp = try WakeUp()
        } catch {
            throw AlsaError("ask the cards what they are", -error.errorNumber)
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

    /// Asks, unless somebody waits for the answer already.
    private func question(_ number: Int32, _ wakeUp: WakeUp) -> CardQuery {
        let (question, isNew) = questions.withLock { questions in
            if let question = questions[number], question.isOpen { return (question, false) }
            let question = CardQuery(last: questions[number]?.card)
            questions[number] = question
            return (question, true)
        }
        guard isNew else { return question }
        let ask = ask
        do throws(SystemCallError) {
            try startThread(named: "card \(number)") {
                let answer = ask(number)
                question.answer.withLock { $0 = answer }
                wakeUp.signal()
            }
        } catch {
            // Without another thread it takes a moment here.
            let answer = ask(number)
            question.answer.withLock { $0 = answer }
        }
        return question
    }
}
