// Options that each set one field of a request, with the field's path and a parser of the value.

import JSON

struct FieldOption: Sendable {
    let name: String
    /// The path of the field, such as `ring.volume`.
    let place: String
    /// The description of a valid value, which follows "must be" in the error message.
    let expected: String
    /// True if the option may be given more than once, because the field is a list.
    let isList: Bool
    let read: @Sendable (String) -> JSON?

    init(
        _ name: String, _ place: String, _ expected: String = "a text", isList: Bool = false,
        _ read: @escaping @Sendable (String) -> JSON? = { .string($0) }
    ) {
        (self.name, self.place, self.expected, self.isList, self.read) = (name, place, expected, isList, read)
    }

    /// Returns an option for a length of time. `bare` is the unit, in seconds, of a number without one.
    static func length(_ name: String, _ place: String, bare: Int, suchAs examples: String) -> FieldOption {
        FieldOption(name, place, "a length of time such as \(examples)") { text in
            LengthText.seconds(text, bare: bare).map { .number($0) }
        }
    }

    static func choice(_ name: String, _ place: String, _ choices: [String]) -> FieldOption {
        FieldOption(name, place, "one of \(choices.joined(separator: ", "))") {
            choices.contains($0) ? .string($0) : nil
        }
    }

    func value(_ text: String, _ arguments: CommandArguments) throws(CommandError) -> JSON {
        try arguments.value(text, of: name, expected, read)
    }
}

extension [FieldOption] {
    var names: Set<String> { Set(map(\.name)) }

    /// Returns a merge patch with the fields of the given options, in the order of this list.
    func patch(_ arguments: CommandArguments) throws(CommandError) -> JSON {
        var patch = JSON.object([])
        for option in self {
            let values = try arguments.values(option.name).map { text throws(CommandError) in
                try option.value(text, arguments)
            }
            if let value = values.first { patch.set(option.place, to: option.isList ? .array(values) : value) }
        }
        return patch
    }
}

extension JSON {
    /// Sets the field at a path such as `ring.volume`.
    mutating func set(_ place: String, to value: JSON) {
        let names = place.split(separator: ".")
        self = patched(with: names.reversed().reduce(value) { .object([.init(String($1), $0)]) })
    }
}
