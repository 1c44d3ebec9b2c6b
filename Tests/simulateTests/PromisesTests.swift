// The test that the documented promises are the checked ones.

import Foundation
import Testing

@testable import simulate

@Suite struct PromisesTests {
    private static let root = URL(fileURLWithPath: #filePath).pathComponents.dropLast(3).joined(separator: "/")
        .dropFirst()

    /// Each promise is in `docs/PROMISES.md` with the checker's wording and the files that report it broken.
    @Test(arguments: Promise.allCases) func promise_isDocumented_withItsFiles(promise: Promise) throws {
        let document = try String(contentsOfFile: "\(Self.root)/docs/PROMISES.md", encoding: .utf8)
        let row = try #require(
            document.split(separator: "\n").first { $0.hasPrefix("| \(promise.rawValue) | \(promise.sentence) | ") })
        let files = row.split(separator: "`").filter { $0.hasSuffix(".swift") }
        #expect(!files.isEmpty)
        for file in files {
            let text = try String(contentsOfFile: "\(Self.root)/Sources/simulate/\(file)", encoding: .utf8)
            #expect(text.contains("report("), "\(file)")
        }
    }
}
