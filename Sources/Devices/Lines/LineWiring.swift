// The lines of GPIO chips: their names, and how they are wired.

/// A GPIO line by name, and never by its chip's number: that is another one after each change of the board or the kernel.
package struct LineName: Hashable, Sendable {
    /// The label of its chip, as `gpioinfo` shows it in brackets; nil where the line's name says enough.
    package var chip: String?
    /// The line's name, or its number on the chip that is named: not all chips name their lines.
    package var line: String

    /// The line of that name on the chip of that label, or on whichever has it.
    package init(_ line: String, chip: String? = nil) {
        (self.line, self.chip) = (line, chip)
    }

    /// From `GPIO17`, `pinctrl-rp1:GPIO17` or `cp2112_gpio:3`; nil where that names no line.
    package init?(text: String) {
        guard text.utf8.count <= LineName.bytesMax, text.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else { return nil }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard let line = parts.last, parts.allSatisfy({ !$0.isEmpty }) else { return nil }
        let chip = parts.dropLast().joined(separator: ":")
        self.init(String(line), chip: chip.isEmpty ? nil : chip)
        // Which line has a number depends on the chip.
        guard self.chip != nil || offset == nil else { return nil }
    }

    /// The kernel keeps 31 bytes of each of both names.
    private static let bytesMax = 63

    /// Its number on its chip, where that is what it is called by.
    package var offset: Int? { line.utf8.allSatisfy { 0x30...0x39 ~= $0 } ? Int(line) : nil }
}

extension LineName: CustomStringConvertible {
    /// As it is written in the configuration.
    package var description: String { chip.map { "\($0):\(line)" } ?? line }
}

/// The resistor of the chip's own that holds an input while its contact is open.
package enum Pull: String, Hashable, Sendable, CaseIterable {
    /// To the supply: the contact is between the line and ground.
    case up
    /// To ground: the contact is between the line and the supply.
    case down
    /// None: something outside holds the line, or drives it all the time.
    case none
}

/// Which level of a line means that its contact is closed, or that what it drives is on.
package enum ActiveLevel: String, Hashable, Sendable, CaseIterable {
    case low, high
}

package struct LineInput: Hashable, Sendable {
    package var name: LineName
    package var pull: Pull
    /// Its level when the contact is closed.
    package var active: ActiveLevel

    /// A contact to ground, unless it is said otherwise.
    package init(_ name: LineName, pull: Pull = .up, active: ActiveLevel = .low) {
        (self.name, self.pull, self.active) = (name, pull, active)
    }
}

package struct LineOutput: Hashable, Sendable {
    package var name: LineName
    /// Its level when what it drives is on.
    package var active: ActiveLevel

    /// Something that is on while the line is high, unless it is said otherwise.
    package init(_ name: LineName, active: ActiveLevel = .high) {
        (self.name, self.active) = (name, active)
    }
}
