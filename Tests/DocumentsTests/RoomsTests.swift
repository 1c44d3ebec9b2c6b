// The table of rooms in `docs/DESIGN.md` is what `Package.swift` and the files themselves say.

import Testing

@Suite struct RoomsTests {
    /// The folders of Sources. One with Swift in it is a room, any other a library of C.
    private static let folders = Checkout.names(in: "Sources")
    private static let rooms = folders.filter { !Checkout.swiftFiles(in: "Sources/\($0)").isEmpty }

    /// What each target of `Package.swift` depends on.
    private static let targets: [String: Set<String>] = {
        let target =
            #/\.(?:target|executableTarget|systemLibrary)\(\s*name: "(\w+)"(?:,\s*dependencies: \[([^\]]*)\])?/#
        let package = (try? Checkout.text("Package.swift")) ?? ""
        return package.matches(of: target).reduce(into: [:]) { targets, match in
            targets[String(match.1)] = Set((match.2 ?? "").identifiers.map(String.init))
        }
    }()

    @Test func everyRoom_hasItsRow_andEveryLibraryIsNamed() throws {
        let section = try Checkout.section("## The rooms", of: "docs/DESIGN.md")
        let rows = section.rows.compactMap { $0[0].codeSpans.first }
        #expect(rows.sorted() == Self.rooms)
        let libraries = Self.folders.filter { !Self.rooms.contains($0) }
        #expect(Set(libraries).isSubset(of: section.codeSpans))
    }

    @Test(arguments: rooms) func row_saysWhatTheRoomImports(room: String) throws {
        let rows = try Checkout.section("## The rooms", of: "docs/DESIGN.md").rows
        let row = try #require(rows.first { $0[0] == "`\(room)`" })
        let target = try #require(Self.targets[room])
        let imports = try #require(row.last).codeSpans
        #expect(imports.sorted() == target.intersection(Self.rooms).sorted())
    }

    /// What a dependency depends on can be imported without being declared, and nobody would see it in `Package.swift`.
    @Test(arguments: rooms) func imports_areThoseThatAreDeclared(room: String) throws {
        let lines = try Checkout.swiftFiles(in: "Sources/\(room)").flatMap {
            try Checkout.text($0).split(separator: "\n").filter { $0.hasPrefix("import ") }
        }
        let imports = Set(lines.compactMap { $0.identifiers.last.map(String.init) })
        #expect(imports.intersection(Self.folders) == Self.targets[room]?.intersection(Self.folders))
    }

    /// Only programs that run in a terminal may tell anybody to type: what the others say is read on a phone as well.
    @Test(arguments: Set(rooms).subtracting(["rooster", "roosterd", "simulate", "sight", "bench"]).sorted())
    func room_namesNoCommandsInItsWords(room: String) throws {
        for file in Checkout.swiftFiles(in: "Sources/\(room)") {
            for line in try Checkout.text(file).split(separator: "\n") where !line.contains("//") {
                let command = ["'rooster ", "'sudo ", "'systemctl ", "journalctl"].first(where: line.contains)
                #expect(command == nil, "\(file): \(line)")
            }
        }
    }
}
