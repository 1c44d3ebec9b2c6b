// Values that documents write as one string, such as dates.

import JSON
import Text

/// A value that is written as one string, such as a date.
package protocol TextCoded: JSONCoded {
    init?(text: String)
    var text: String { get }
    /// A description of the text, as in "a date such as "2026-01-15"".
    static var expected: String { get }
    /// Any value. It stands for the type when a schema is derived.
    static var sample: Self { get }
}

extension TextCoded {
    package static func read(_ json: JSON, _ problems: inout [Problem]) -> Self? {
        if case .string(let text) = json, let value = Self(text: text) { return value }
        return mismatch(json, &problems, expected)
    }

    package var json: JSON { .string(text) }
    package static var schema: Schema { .simple(expected, sample: sample.json) }
}

extension TextCoded where Self: LosslessStringConvertible {
    package init?(text: String) { self.init(text) }
    package var text: String { description }
}

extension String: TextCoded {
    package static var expected: String { "a text in quotes" }
    package static var sample: String { "" }
}
