// The names of GPIO lines, and how they are wired.

/// A GPIO line, named without its chip's number, which changes with the board and the kernel.
package struct LineName: Hashable, Sendable {
    /// The chip's label, which `gpioinfo` shows in brackets; nil if the line's name is enough.
    package var chip: String?
    /// The line's name, or its number on the named chip, since not all chips name their lines.
    package var line: String

    /// Creates the name of a line, on the chip with that label or on any.
    package init(_ line: String, chip: String? = nil) {
        (self.line, self.chip) = (line, chip)
    }

    /// Parses `GPIO17`, `pinctrl-rp1:GPIO17` or `cp2112_gpio:3`. Nil if the text names no line.
    package init?(text: String) {
        guard text.utf8.count <= LineName.bytesMax, text.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else { return nil }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard let line = parts.last, parts.allSatisfy({ !$0.isEmpty }) else { return nil }
        let chip = parts.dropLast().joined(separator: ":")
        self.init(String(line), chip: chip.isEmpty ? nil : chip)
        // A number identifies a line only together with the chip.
        guard self.chip != nil || offset == nil else { return nil }
    }

    /// The kernel keeps 31 bytes of a chip's label and 31 of a line's name.
    private static let bytesMax = 63

    /// The line's number on its chip, or nil if the line is addressed by name.
    package var offset: Int? { line.utf8.allSatisfy { 0x30...0x39 ~= $0 } ? Int(line) : nil }
}

extension LineName: CustomStringConvertible {
    /// The form that the configuration uses.
    package var description: String { chip.map { "\($0):\(line)" } ?? line }
}

/// The chip's own resistor, which holds an input while its contact is open.
package enum Pull: String, Hashable, Sendable, CaseIterable {
    /// To the supply, for a contact between the line and ground.
    case up
    /// To ground, for a contact between the line and the supply.
    case down
    /// No resistor: external hardware holds or drives the line.
    case none
}

/// The level at which a contact is closed, or a lamp or buzzer is on.
package enum ActiveLevel: String, Hashable, Sendable, CaseIterable {
    case low, high
}

package struct LineInput: Hashable, Sendable {
    package var name: LineName
    package var pull: Pull
    /// The level while the contact is closed.
    package var active: ActiveLevel

    /// Creates an input, by default for a contact to ground.
    package init(_ name: LineName, pull: Pull = .up, active: ActiveLevel = .low) {
        (self.name, self.pull, self.active) = (name, pull, active)
    }
}

package struct LineOutput: Hashable, Sendable {
    package var name: LineName
    /// The level while the lamp or buzzer is on.
    package var active: ActiveLevel

    /// Creates an output, by default on while the line is high.
    package init(_ name: LineName, active: ActiveLevel = .high) {
        (self.name, self.active) = (name, active)
    }
}
