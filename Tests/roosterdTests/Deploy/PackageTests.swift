// The tests of the Debian packages' sources. scripts/package --check tests the packages themselves.

import Foundation
import Oracles
import Testing

@Suite struct PackageTests {
    private func lines(_ path: String) throws -> [String] {
        try String(contentsOfFile: "\(Checkout.path)/\(path)", encoding: .utf8).split(separator: "\n").map(String.init)
    }

    /// A library that scripts/setup installs and the package does not name would be missing in a clean build.
    @Test func buildDependencies_areThoseOfSetup() throws {
        let base = try lines("scripts/setup").drop { $0 != "base=(" }.prefix { $0 != ")" }
        let installed = base.compactMap { $0.split(separator: " ").first.map(String.init) }.filter {
            $0.hasPrefix("lib")
        }
        let named = try lines("deploy/debian/control").prefix { !$0.hasPrefix("Standards") }
            .map { $0.trimmingCharacters(in: CharacterSet(charactersIn: " ,")) }.filter { $0.hasPrefix("lib") }
        #expect(!named.isEmpty && named.sorted() == installed.sorted())
    }

    /// Each source exists, and no file has two owners.
    @Test func listOfFiles_isSound() throws {
        let rows = try lines("deploy/files").filter { !$0.hasPrefix("#") }.map {
            $0.split(separator: " ").map(String.init)
        }
        #expect(rows.allSatisfy { $0.count == 4 && ["rooster", "rooster-web"].contains($0[0]) })
        #expect(Set(rows.map { $0[3] }).count == rows.count)
        for source in rows.map({ $0[2] }) where !source.hasPrefix("programs/") {
            #expect(FileManager.default.fileExists(atPath: "\(Checkout.path)/\(source)"), "\(source)")
        }
        // dpkg asks the owner about each file in /etc that a new version changes, so there is one, which never changes.
        #expect(rows.map { $0[3] }.filter { $0.hasPrefix("/etc/") } == ["/etc/avahi/services/rooster.service"])
    }

    @Test func scripts_explainTheirOptions_andRefuseOthers() throws {
        for script in ["package", "repository", "debian13", "virtual-device"] {
            let path = "\(Checkout.path)/scripts/\(script)"
            let help = try Program(path, ["--help"])
            #expect(help.exitStatus == 0 && help.output.hasPrefix("Usage: scripts/\(script)"))
            #expect(help.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
            #expect(try Program(path, ["--wrong"]).exitStatus == 2)
        }
    }
}
