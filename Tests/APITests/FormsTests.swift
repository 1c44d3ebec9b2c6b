// The table of forms: each says of itself what its type has.

import Testing

@testable import API

@Suite struct FormsTests {
    @Test func names_areUsedOnce() {
        let rows = Forms.all.map { $0.row }
        #expect(Set(rows.map(\.name)).count == rows.count)
        #expect(Set(rows.map { "\($0.method) \($0.path)" }).count == rows.count)
    }

    /// A word on each field, and none on a field that is not there; what stands in the path is a field that must be there.
    @Test(arguments: Forms.all.indices) func fields_areSaid(index: Int) throws {
        let form = Forms.all[index]
        #expect(Set(form.row.fieldWords.keys) == Set(form.fields.map(\.name)), "\(form.row.name)")
        let places = form.row.path.split(separator: "/").filter { $0.hasPrefix("{") }.map { $0.dropFirst().dropLast() }
        for place in places {
            let field = try #require(form.fields.first { $0.name == place }, "\(form.row.name): \(place)")
            #expect(!field.isOptional, "\(form.row.name): \(place)")
        }
    }

    /// Everything has a shape, and names that a script can spell.
    @Test(arguments: Forms.all.indices) func members_areInCamelCase(index: Int) {
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
        let form = Forms.all[index]
        guard case .object = form.answer else {
            Issue.record("the answer to \(form.row.name) is \(form.answer)")
            return
        }
        check(form.answer, at: form.row.name)
    }
}
