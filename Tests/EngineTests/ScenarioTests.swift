// The tests that run each scenario file and check the set of files.

import Foundation
import Testing

@Suite struct ScenarioTests {
    static let files: [String] = {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Scenarios")
        let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        return names.filter { $0.hasSuffix(".scenario") }.sorted().map { folder.appendingPathComponent($0).path }
    }()

    /// If the folder is not found, the suite would pass without a single scenario.
    @Test func scenarios_exist() {
        #expect(Self.files.count >= 290)
    }

    /// A longer name or a larger set of files would no longer be read.
    @Test func scenarios_areFew_andHaveShortNames() {
        #expect(Self.files.count <= 485)
        let longest = Self.files.map { URL(fileURLWithPath: $0).lastPathComponent }.max { $0.count < $1.count }
        #expect(longest?.count ?? 0 <= 60)
    }

    /// An author of a scenario finds the verbs in two tables, in the order of the two source files.
    @Test(arguments: [("ScenarioRunner.swift", 0), ("ScenarioExpectations.swift", 1)])
    func table_hasEveryVerb(file: String, table: Int) throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let code = try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
        var understood: Set<String> = []
        for part in code.components(separatedBy: "switch line.words[0] {\n").dropFirst() {
            for line in part.components(separatedBy: "\n        }\n")[0].split(separator: "\n") {
                guard let words = line.wholeMatch(of: #/        case (".*?")(:| where ).*/#)?.1 else { continue }
                understood.formUnion(words.matches(of: /[a-z]+/).map { String($0.0) })
            }
        }
        let page = try String(contentsOf: folder.appendingPathComponent("Scenarios/README.md"), encoding: .utf8)
        let rows = page.components(separatedBy: "|---|---|\n")[table + 1].components(separatedBy: "\n\n")[0]
        let listed = rows.split(separator: "\n").flatMap { row in
            row.split(separator: "|")[0].matches(of: /`([a-z]+)/).map { String($0.1) }
        }
        #expect(understood.count > 30)
        let settings: Set = ["lock", "enabled", "emergency", "preflight"]
        #expect(Set(listed).subtracting(settings) == understood)
    }

    @Test(arguments: files)
    func scenario_holds(file: String) throws {
        try ScenarioRunner.run(String(contentsOfFile: file, encoding: .utf8))
    }
}
