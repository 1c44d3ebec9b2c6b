// The tests of the module table in `docs/DESIGN.md` against `Package.swift` and the `import` lines.

import Testing

@Suite struct ModulesTests {
    /// The Swift modules: the folders of Sources without the folder of the C targets.
    private static let modules = Checkout.names(in: "Sources").filter { $0 != "C" }
    private static let libraries = Checkout.names(in: "Sources/C")
    private static let all = Set(modules + libraries)

    /// The dependencies of each target in `Package.swift`.
    private static let targets: [String: Set<String>] = {
        let target =
            #/\.(?:target|executableTarget|systemLibrary)\(\s*name: "([\w-]+)"(?:,\s*dependencies: \[([^\]]*)\])?/#
        let package = (try? Checkout.text("Package.swift")) ?? ""
        return package.matches(of: target).reduce(into: [:]) { targets, match in
            targets[String(match.1)] = Set((match.2 ?? "").matches(of: #/"([\w-]+)"/#).map { String($0.1) })
        }
    }()

    @Test func everyModule_hasItsRow_andEveryLibraryIsNamed() throws {
        let section = try Checkout.section("## The modules", of: "docs/DESIGN.md")
        let rows = section.rows.compactMap { $0[0].codeSpans.first }
        #expect(rows.sorted() == Self.modules)
        #expect(Set(Self.libraries).isSubset(of: section.codeSpans))
    }

    @Test(arguments: modules) func row_namesWhatTheModuleImports(module: String) throws {
        let rows = try Checkout.section("## The modules", of: "docs/DESIGN.md").rows
        let row = try #require(rows.first { $0[0] == "`\(module)`" })
        let target = try #require(Self.targets[module])
        let imports = try #require(row.last).codeSpans
        #expect(imports.sorted() == target.intersection(Self.modules).sorted())
    }

    /// Swift accepts an import of an indirect dependency, which `Package.swift` would not show.
    @Test(arguments: modules) func imports_areDeclared(module: String) throws {
        let lines = try Checkout.swiftFiles(in: "Sources/\(module)").flatMap {
            try Checkout.text($0).split(separator: "\n").filter { $0.hasPrefix("import ") }
        }
        let imports = Set(lines.compactMap { $0.identifiers.last.map(String.init) })
        #expect(imports.intersection(Self.all) == Self.targets[module]?.intersection(Self.all))
    }

    /// Only terminal programs may name commands. The texts of other modules also appear on a phone.
    @Test(arguments: Set(modules).subtracting(["rooster", "roosterd", "simulate", "rooster-camera", "bench"]).sorted())
    func module_namesNoCommandsInItsTexts(module: String) throws {
        for file in Checkout.swiftFiles(in: "Sources/\(module)") {
            for line in try Checkout.text(file).split(separator: "\n") where !line.contains("//") {
                let command = ["'rooster ", "'sudo ", "'systemctl ", "journalctl"].first(where: line.contains)
                #expect(command == nil, "\(file): \(line)")
            }
        }
    }
}
