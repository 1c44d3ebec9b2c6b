// The place of a GPIO line: its chip, its offset, and its present user.

import CGpiod
import Devices
import Glibc
import System

/// The GPIO chips of the machine, listed again at each call, because they come and go.
enum GpioChips {
    /// The node of a line's chip, and the line's offset on it.
    struct Place: Hashable {
        var node: String
        var offset: UInt32
    }

    static func place(of name: LineName) throws(LineFailure) -> Place {
        var (labels, found): ([String], [(label: String, place: Place)]) = ([], [])
        var refusal: LineFailure?
        for node in try nodes(for: name) {
            do throws(LineFailure) {
                let chip = try GpioChip(node, for: name)
                labels.append(chip.label)
                guard name.chip == nil || name.chip == chip.label, let offset = chip.offset(of: name) else { continue }
                found.append((chip.label, Place(node: node, offset: offset)))
            } catch {
                // A chip that was just unplugged is skipped. A chip that may not be opened could have the
                // line.
                if case .gone = error { continue }
                refusal = error
            }
        }
        if found.count > 1 { throw .ambiguous(name, chips: found.map(\.label)) }
        if let found = found.first { return found.place }
        if let refusal { throw refusal }
        guard !labels.isEmpty else { throw .noChip(name) }
        guard name.chip.map(labels.contains) ?? true else { throw .missingChip(name, known: labels) }
        throw .missing(name)
    }

    /// Symbolic links, which some systems keep for old programs, are not chips.
    private static func nodes(for name: LineName) throws(LineFailure) -> [String] {
        do throws(FileError) {
            return try Folder.names(in: "/dev").filter { $0.hasPrefix("gpiochip") }.map { "/dev/\($0)" }.filter {
                node in
                var status = stat()
                return lstat(node, &status) == 0 && status.st_mode & S_IFMT == S_IFCHR
            }
        } catch {
            throw .system(name, doing: "look for GPIO chips in /dev", errorNumber: error.errorNumber)
        }
    }

    static func holder(of place: Place) -> String? {
        guard let chip = gpio_chip_open(place.node) else { return nil }
        defer { gpio_chip_close(chip) }
        let name = text { gpio_chip_holder(chip, place.offset, $0, $1) == 1 } ?? ""
        return name.isEmpty ? nil : name
    }

    /// Returns the text that `write` puts into a buffer, or nil if it fails.
    fileprivate static func text(_ write: (UnsafeMutablePointer<CChar>, Int) -> Bool) -> String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: namesMax) { room in
            guard let start = room.baseAddress, write(start, namesMax) else { return nil }
            return String(cString: start)
        }
    }

    static func failure(
        _ name: LineName, _ doing: String, at node: String, errorNumber number: Int32
    ) -> LineFailure {
        switch number {
        case EACCES, EPERM: return .noAccess(name, node: node, group: groupWithAccess(to: node))
        case ENODEV, ENOENT, ENXIO: return .gone(name)
        default: return .system(name, doing: doing, errorNumber: number)
        }
    }

    /// The kernel keeps 31 bytes of a name.
    private static let namesMax = 64
}

/// A chip that is open during a lookup.
private struct GpioChip: ~Copyable {
    private let chip: OpaquePointer
    let label: String

    init(_ node: String, for name: LineName) throws(LineFailure) {
        guard let chip = gpio_chip_open(node) else {
            throw GpioChips.failure(name, "open \(node)", at: node, errorNumber: errno)
        }
        self.chip = chip
        // An unreadable label counts as none.
        label = GpioChips.text { gpio_chip_label(chip, $0, $1) == 0 } ?? ""
    }

    deinit {
        gpio_chip_close(chip)
    }

    func offset(of name: LineName) -> UInt32? {
        let named = gpio_chip_find(chip, name.line)
        if named >= 0 { return UInt32(named) }
        guard name.chip != nil, let offset = name.offset, offset < Int(gpio_chip_line_count(chip)) else { return nil }
        return UInt32(offset)
    }
}
