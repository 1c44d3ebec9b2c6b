// JSON objects changed as RFC 7396 says.

import Alarms

extension JSON {
    /// The member of that name, of an object that has one.
    func member(_ name: String) -> JSON? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }

    /// The value with a merge patch: null takes a member away, objects are patched, all else is put in its place.
    func patched(by patch: [JSON.Member]) -> JSON {
        var members: [JSON.Member] = []
        if case .object(let own) = self { members = own }
        for change in patch {
            let index = members.firstIndex { $0.name == change.name }
            if change.value == .null {
                if let index { members.remove(at: index) }
                continue
            }
            var value = change.value
            if case .object(let inner) = value { value = (index.map { members[$0].value } ?? .null).patched(by: inner) }
            if let index {
                members[index].value = value
            } else {
                members.append(.init(change.name, value))
            }
        }
        return .object(members)
    }

    /// The object with that member, which may be null.
    func setting(_ name: String, _ value: JSON) -> JSON {
        guard case .object(let members) = patched(by: [.init(name, .null)]) else { return self }
        return .object(members + [.init(name, value)])
    }
}
