// The tests of the prose: comments and documents name the thing, and seldom lean on a pronoun in its place.

import Foundation
import Testing

@Suite struct ProseTests {
    /// The habits that are counted. Each makes a reader ask "which?", "who?" or "what?".
    enum Habit: CaseIterable {
        case what, who, front, passive

        private static let whatWords: Set = ["what", "whatever"]
        private static let whoWords: Set = ["who", "whoever", "whom", "nobody", "somebody", "anybody"]
        private static let fronts = ["Of ", "As it", "Where ", "Whether ", "That ", "What ", "Whoever ", "Whatever "]
        private static let passives = ["to be", "told", "had", "gone"].flatMap { ["is \($0)", "are \($0)"] }

        func isIn(_ sentence: String) -> Bool {
            let words = sentence.lowercased().split { !$0.isLetter }
            return switch self {
            case .what: words.contains { Habit.whatWords.contains(String($0)) }
            case .who: words.contains { Habit.whoWords.contains(String($0)) }
            case .front:
                Habit.fronts.contains { front in
                    sentence.hasPrefix(front) || [". ", ": ", "; "].contains { sentence.contains($0 + front) }
                }
            case .passive:
                Habit.passives.contains { " \(words.joined(separator: " ")) ".contains(" \($0) ") }
            }
        }
    }

    /// The highest number of sentences with each habit, per hundred.
    private static func most(_ habit: Habit, ofDocument isDocument: Bool) -> Double {
        switch habit {
        case .what: isDocument ? 4 : 2
        case .who: isDocument ? 1 : 0.5
        case .front: isDocument ? 2 : 2
        case .passive: isDocument ? 1 : 0.5
        }
    }

    private static let folders = Checkout.names(in: "Sources").filter { $0 != "C" }.map { "Sources/\($0)" } + ["Tests"]

    @Test(arguments: folders) func comments_keepTheProseCeilings(folder: String) throws {
        let comments = try Checkout.swiftFiles(in: folder).flatMap { path in
            try Checkout.text(path).split(separator: "\n").compactMap(Self.comment)
        }
        Self.expectFew(in: comments, ofDocument: false)
    }

    /// Scripts, configuration and scenarios have comments behind a `#`.
    @Test(arguments: ["scripts", "deploy", "udev", "config", "Tests/EngineTests/Scenarios", "Tests/Fuzz/dictionaries"])
    func otherComments_keepTheProseCeilings(folder: String) throws {
        let comments = try Checkout.files(in: folder).flatMap { path in
            try Checkout.text(path).split(separator: "\n").compactMap { line in
                line.range(of: "(^|  ) *# ", options: .regularExpression).map { String(line[$0.upperBound...]) }
            }
        }
        #expect(!comments.isEmpty)
        Self.expectFew(in: comments, ofDocument: true)
    }

    @Test(arguments: Checkout.documents) func documents_keepTheProseCeilings(document: String) throws {
        Self.expectFew(in: Self.sentences(try Checkout.text(document)), ofDocument: true)
    }

    /// Without this, a count that finds nothing would pass.
    @Test func habits_areFound() {
        #expect(Habit.what.isIn("Notes what was told.") && !Habit.what.isIn("Notes the somewhat late report."))
        #expect(Habit.who.isIn("Whoever listens late gets the newest."))
        #expect(
            Habit.front.isIn("Of a code only the hash is kept.") && Habit.front.isIn("Reads it. Where it ends: nil."))
        #expect(Habit.passive.isIn("The mixer is to be put back.") && !Habit.passive.isIn("The list is tolds."))
        #expect(Self.comment("    let a = 1  // an index") == "an index" && Self.comment("let a = 1") == nil)
        #expect(Self.sentences("One two three. Four five six:\n\n| a b c | d |\n```\nx y z\n```").count == 3)
    }

    private static func expectFew(in sentences: [String], ofDocument isDocument: Bool) {
        for habit in Habit.allCases {
            let found = sentences.filter(habit.isIn)
            let most = most(habit, ofDocument: isDocument) * Double(sentences.count) / 100
            #expect(Double(found.count) <= most, "\(habit): \(found.prefix(5))")
        }
    }

    private static func comment(_ line: Substring) -> String? {
        let text = line.trimmingCharacters(in: .whitespaces)
        if text.hasPrefix("//") { return text.drop { $0 == "/" }.trimmingCharacters(in: .whitespaces).nonEmpty }
        return text.range(of: "  // ").map { String(text[$0.upperBound...]) }
    }

    private static func sentences(_ document: String) -> [String] {
        let prose = document.components(separatedBy: "```").enumerated().filter { $0.offset.isMultiple(of: 2) }
        let paragraphs = prose.flatMap { part in
            part.element.replacing("\n| ", with: "\n\n").replacing("\n- ", with: "\n\n").components(separatedBy: "\n\n")
        }
        return paragraphs.flatMap { paragraph in
            let words = paragraph.split(whereSeparator: \.isWhitespace)
            return words.reduce(into: [[Substring]]()) { sentences, word in
                let isNew = sentences.last?.last.map { ".!?:".contains($0.last ?? " ") } ?? true
                if isNew { sentences.append([word]) } else { sentences[sentences.count - 1].append(word) }
            }
        }.filter { $0.count > 2 }.map { $0.joined(separator: " ") }
    }
}

extension String {
    fileprivate var nonEmpty: String? { isEmpty ? nil : self }
}
