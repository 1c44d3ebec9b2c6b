// The scenario files, one by one.

import Foundation
import Testing

@Suite struct ScenarioTests {
    static let files: [String] = {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Scenarios")
        let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        return names.filter { $0.hasSuffix(".scenario") }.sorted().map { folder.appendingPathComponent($0).path }
    }()

    /// A folder that is not found must not pass for a hundred scenarios that hold.
    @Test func scenarios_areThere() {
        #expect(Self.files.count >= 330)
    }

    @Test(arguments: files)
    func scenario_holds(file: String) throws {
        try ScenarioRunner.run(String(contentsOfFile: file, encoding: .utf8))
    }
}
