// Changing some members of an object and leaving the others as they are.

extension JSON {
    /// This with the members that the patch names as the patch has them, at every depth (as RFC 7396 says, but that a null
    /// stays one: in an alarms file that says "as by default", or something of its own).
    package func patched(with patch: JSON) -> JSON {
        guard case .object(let changes) = patch else { return patch }
        var members: [Member] = if case .object(let members) = self { members } else { [] }
        for change in changes {
            if let index = members.firstIndex(where: { $0.name == change.name }) {
                members[index].value = members[index].value.patched(with: change.value)
            } else {
                members.append(Member(change.name, JSON.null.patched(with: change.value)))
            }
        }
        return .object(members)
    }
}
