// What is written in a configuration file, before anybody asks what it means.

import Text

struct Setting: Hashable, Sendable {
    indirect enum Value: Hashable, Sendable {
        case bool(Bool)
        case whole(Int)
        case decimal(Double)
        case text(String)
        case list([Value])
        case group([Setting])
    }

    let name: String
    let line: Int
    let value: Value
}

extension Setting.Value {
    /// The value as a message shows it: short, and in one line.
    var shown: String {
        switch self {
        case .bool(let bool): "\(bool)"
        case .whole(let number): "\(number)"
        case .decimal(let number): "\(number)"
        case .text(let text): text.quoted
        case .list: "this list"
        case .group: "a group { … }"
        }
    }
}
