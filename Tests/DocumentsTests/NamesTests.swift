// The tests of names in documents: files exist, and the glossary's types are in their modules.

import Testing

@Suite struct NamesTests {
    private let folders = ["Sources/", "Tests/", "docs/", "deploy/", "scripts/", "config/", "udev/"]

    @Test(arguments: Checkout.documents) func filesNamedInDocuments_exist(document: String) throws {
        let text = try Checkout.text(document)
        let folder = document.hasPrefix("docs/") ? "docs/" : ""
        let source = Checkout.swiftFiles(in: "Sources") + Checkout.swiftFiles(in: "Tests")
        for span in text.codeSpans {
            guard let name = span.split(separator: " ").first.map(String.init), !name.contains("…") else { continue }
            if folders.contains(where: name.hasPrefix) {
                #expect(Checkout.has(name), "\(name)")
            } else if name.hasSuffix(".md") {
                #expect(Checkout.has(name) || Checkout.has(folder + name), "\(name)")
            } else if name.hasSuffix(".swift") {
                #expect(Checkout.has(name) || source.contains { $0.hasSuffix("/\(name)") }, "\(name)")
            }
        }
        for link in text.matches(of: #/\]\(([^)#]+)/#) where !link.1.contains("://") {
            #expect(Checkout.has(folder + link.1), "\(link.1)")
        }
    }

    /// In a walk, the names before a file are functions or properties of that file.
    @Test func functionsOfTheWalks_areInTheirFiles() throws {
        let files = Checkout.swiftFiles(in: "Sources")
        var checkedCount = 0
        for cell in try Checkout.text("docs/WALKS.md").split(whereSeparator: { "\n|".contains($0) }) {
            for match in cell.matches(of: #/((?:`[^`]+`, )*`[^`]+`) \(`([^`]+\.swift)`\)/#) {
                let path = try #require(files.first { $0.hasSuffix("/\(match.2)") })
                let words = try Checkout.text(path).identifiers
                let declared = Set(zip(words, words.dropFirst()).filter { ["func", "var"].contains($0.0) }.map(\.1))
                for name in String(match.1).codeSpans {
                    let function = name.prefix { $0 != "(" }.split(separator: ".").last
                    #expect(function.map(declared.contains) == true, "\(name) in \(match.2)")
                    checkedCount += 1
                }
            }
        }
        #expect(checkedCount > 20)
    }

    /// A type in the glossary belongs to the module that follows it.
    @Test func typesOfTheGlossary_areInTheirModules() throws {
        let text = try Checkout.text("docs/GLOSSARY.md").replacing("\n", with: " ")
        var modules: [String: Module] = [:]
        for entry in text.matches(of: #/\*\*[^*]+\*\* — .*?(?=\*\*|##|$)/#) {
            var names: [Substring] = []
            for token in entry.0.matches(of: #/`([^`]+)`|\((\w+)/#) {
                if let name = token.1 {
                    let isFile = name.contains("/") || name.hasSuffix(".md") || Checkout.has(String(name))
                    if name.first?.isUppercase == true, !isFile { names.append(name) }
                } else if let folder = token.2.map(String.init), Checkout.has("Sources/\(folder)") {
                    let module = try modules[folder] ?? Module(folder)
                    modules[folder] = module
                    let strange = names.filter { !module.has($0) }
                    #expect(strange.isEmpty, "in \(folder)")
                    names = []
                }
            }
            #expect(names.isEmpty, "the module of \(names) is not said")
        }
        #expect(modules.count > 10)
    }

    /// The identifiers and types of a module.
    private struct Module {
        private var words: Set<Substring> = []
        private var types: Set<Substring> = []

        init(_ folder: String) throws {
            for file in Checkout.swiftFiles(in: "Sources/\(folder)") {
                let words = try Checkout.text(file).identifiers
                self.words.formUnion(words)
                for (kind, name) in zip(words, words.dropFirst())
                where ["struct", "class", "actor", "enum", "protocol", "typealias"].contains(kind) {
                    types.insert(name)
                }
            }
        }

        /// Returns true if the module declares the type and contains the members named after it.
        func has(_ name: Substring) -> Bool {
            let parts = name.prefix { $0 != "(" }.split(separator: ".")
            return parts.first.map(types.contains) == true && parts.dropFirst().allSatisfy(words.contains)
        }
    }
}
