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
        #expect(Self.files.count >= 290)
    }

    /// Nobody reads a longer name, nor a heap of more files.
    @Test func scenarios_canBeRead() {
        #expect(Self.files.count <= 340)
        let longest = Self.files.map { URL(fileURLWithPath: $0).lastPathComponent }.max { $0.count < $1.count }
        #expect(longest?.count ?? 0 <= 60)
    }

    @Test(arguments: files)
    func scenario_holds(file: String) throws {
        try ScenarioRunner.run(String(contentsOfFile: file, encoding: .utf8))
    }
}
