// The levels of a mixer's elements, saved while a ring changes them.

/// The volumes and switches of some elements.
struct MixerLevels: Hashable, Sendable {
    struct Element: Hashable, Sendable {
        var name: String
        var index: UInt32
        /// By channel, in the card's own steps; empty if the element has no volume.
        var volumes: [Int32: Int]
        /// By channel; empty if the element has no switch.
        var switches: [Int32: Int32]
    }

    var elements: [Element] = []

    func adding(_ others: MixerLevels) -> MixerLevels {
        let missing = others.elements.filter { other in
            !elements.contains { $0.name == other.name && $0.index == other.index }
        }
        return MixerLevels(elements: elements + missing)
    }
}

extension MixerLevels {
    private static let heading = "rooster-mixer/1"

    /// The file's text: one line per element with its index, volumes, switches and name, in this order.
    var text: String {
        var lines = [MixerLevels.heading]
        for element in elements {
            let volumes = element.volumes.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
            let switches = element.switches.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
            let parts = ["\(element.index)", volumes.joined(separator: ","), switches.joined(separator: ",")]
            lines.append((parts + [element.name]).joined(separator: " "))
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Parses such a text; nil if it is incomplete or malformed.
    init?(_ text: String) {
        guard text.hasSuffix("\n") else { return nil }
        let lines = text.split(separator: "\n")
        guard lines.first == MixerLevels.heading[...] else { return nil }
        for line in lines.dropFirst() {
            let parts = line.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false)
            guard parts.count == 4, let index = UInt32(parts[0]) else { return nil }
            guard let volumes: [Int32: Int] = MixerLevels.values(parts[1]) else { return nil }
            guard let switches: [Int32: Int32] = MixerLevels.values(parts[2]) else { return nil }
            elements.append(
                Element(name: String(parts[3]), index: index, volumes: volumes, switches: switches))
        }
    }

    private static func values<Value: FixedWidthInteger>(_ text: Substring) -> [Int32: Value]? {
        var values: [Int32: Value] = [:]
        for part in text.split(separator: ",") {
            let sides = part.split(separator: "=")
            guard sides.count == 2, let channel = Int32(sides[0]), let value = Value(sides[1]) else { return nil }
            values[channel] = value
        }
        return values
    }
}
