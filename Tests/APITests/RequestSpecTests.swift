// The tests of the table of requests: each row matches its type.

import Clients
import Engine
import JSON
import Testing

@testable import API

@Suite struct RequestSpecTests {
    @Test func names_areUsedOnce() {
        let rows = RequestSpec.all.map { $0.spec }
        #expect(Set(rows.map(\.name)).count == rows.count)
        #expect(Set(rows.map { "\($0.method) \($0.path)" }).count == rows.count)
    }

    /// Every field has a description, and no description lacks a field. A field in the path is required.
    @Test(arguments: RequestSpec.all.indices) func everyField_hasADescription(index: Int) throws {
        let request = RequestSpec.all[index]
        #expect(Set(request.spec.fieldDescriptions.keys) == Set(request.fields.map(\.name)), "\(request.spec.name)")
        let places = request.spec.path.split(separator: "/").filter { $0.hasPrefix("{") }.map {
            $0.dropFirst().dropLast()
        }
        for place in places {
            let field = try #require(request.fields.first { $0.name == place }, "\(request.spec.name): \(place)")
            #expect(!field.isOptional, "\(request.spec.name): \(place)")
        }
    }

    /// Scripts use the names as identifiers, so all names are in camel case.
    @Test(arguments: RequestSpec.all.indices) func members_areInCamelCase(index: Int) {
        func check(_ schema: Schema, at path: String) {
            switch schema {
            case .simple: break
            case .list(let element): check(element, at: path)
            case .object(_, let fields):
                for field in fields {
                    let isCamelCase =
                        field.name.first?.isLowercase == true && field.name.allSatisfy { $0.isLetter && $0.isASCII }
                    #expect(isCamelCase, "\(path).\(field.name)")
                    check(field.schema, at: "\(path).\(field.name)")
                }
            }
        }
        let request = RequestSpec.all[index]
        guard case .object = request.response else {
            Issue.record("the answer to \(request.spec.name) is \(request.response)")
            return
        }
        check(request.response, at: request.spec.name)
    }

    /// The requests by the right that a client over HTTP needs. A new request is added here deliberately.
    private static let rights: [Permission?: Set<String>] = [
        nil: ["hello", "pair", "pairing", "claim"],
        .look: [
            "status", "follow", "sounds", "sound", "capabilities", "settings", "calendars", "history", "alarms",
            "alarm", "plan",
            "validate", "codes", "clients", "bedside",
        ],
        .use: [
            "snooze", "stop", "awake", "answer", "unlock", "emergency", "testRing", "skip", "unskip", "postpone",
            "done",
            "inBed", "doctor", "trySpeakers",
        ],
        .change: [
            "add", "save", "edit", "enable", "delete", "pause", "configure", "resetSettings", "saveCalendar",
            "deleteCalendar", "clearHistory", "export", "import", "simulate", "enrol", "testCode", "cancelScan",
            "forgetCode", "preview", "cameraPicture", "printCode", "codeSheet", "addSound", "removeSound",
            "forgetClient", "addToken", "invite",
        ],
    ]

    @Test func rights_areThoseOfTheTable() {
        let rows = RequestSpec.all.map { $0.spec }
        for (may, names) in Self.rights { #expect(Set(rows.filter { $0.may == may }.map(\.name)) == names) }
        // Only a request that changes nothing and shows no secret can be seen by every client.
        #expect(rows.filter { $0.may == .look }.allSatisfy { !$0.changes })
    }
}
