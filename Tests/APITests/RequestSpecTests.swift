// The table of requests: each row has what its type has.

import JSON
import Testing

@testable import API

@Suite struct RequestSpecTests {
    @Test func names_areUsedOnce() {
        let rows = RequestSpec.all.map { $0.spec }
        #expect(Set(rows.map(\.name)).count == rows.count)
        #expect(Set(rows.map { "\($0.method) \($0.path)" }).count == rows.count)
    }

    /// A word on each field, and none on a field that is not there; what stands in the path is a field that must be there.
    @Test(arguments: RequestSpec.all.indices) func fields_areSaid(index: Int) throws {
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

    /// Everything has a shape, and names that a script can spell.
    @Test(arguments: RequestSpec.all.indices) func members_areInCamelCase(index: Int) {
        func check(_ schema: Schema, at place: String) {
            switch schema {
            case .simple: break
            case .list(let element): check(element, at: place)
            case .object(_, let fields):
                for field in fields {
                    let isCamelCase =
                        field.name.first?.isLowercase == true && field.name.allSatisfy { $0.isLetter && $0.isASCII }
                    #expect(isCamelCase, "\(place).\(field.name)")
                    check(field.schema, at: "\(place).\(field.name)")
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
}
