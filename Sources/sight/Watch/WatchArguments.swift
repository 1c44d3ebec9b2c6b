// What `sight watch` is started with.

import Devices

struct WatchArguments: Hashable {
    var camera: String?
    var powerLine = PowerLine.untouched

    /// Nothing for words that it does not know.
    init?(_ words: [String]) {
        var rest = words[...]
        while let word = rest.popFirst() {
            guard let value = rest.popFirst() else { return nil }
            switch word {
            case "--camera": camera = value
            case "--power-line":
                guard let known = PowerLine(rawValue: value) else { return nil }
                powerLine = known
            default: return nil
            }
        }
    }
}
