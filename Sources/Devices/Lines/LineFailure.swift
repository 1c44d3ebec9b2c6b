// The reasons why a GPIO line cannot be used.

import Glibc

package enum LineFailure: Error, Hashable, Sendable {
    case noChip(LineName)
    /// No chip has the configured label. `known` lists the labels of this machine's chips.
    case missingChip(LineName, known: [String])
    case missing(LineName)
    /// Several chips have a line with that name.
    case ambiguous(LineName, chips: [String])
    /// Another program or the kernel uses the line. `holder` is the name that it registered.
    case busy(LineName, holder: String?)
    /// The system refuses to open the chip; members of `group` may.
    case noAccess(LineName, node: String, group: String?)
    /// The line's chip was unplugged.
    case gone(LineName)
    /// Another system call failed with this error number.
    case system(LineName, doing: String, errorNumber: Int32)

    package var name: LineName {
        switch self {
        case .noChip(let name), .missingChip(let name, _), .missing(let name), .ambiguous(let name, _),
            .busy(let name, _), .noAccess(let name, _, _), .gone(let name), .system(let name, _, _):
            name
        }
    }
}

/// Returns the end of a message about a device that is reserved for a group, or for other users.
func reservation(for group: String?) -> String {
    group.map { "reserved for the group \($0)" } ?? "reserved for other users"
}

extension LineFailure: CustomStringConvertible {
    package var description: String {
        switch self {
        case .noChip(let name): "no line \(name) (this machine has no GPIO chip)"
        case .missingChip(let name, let known):
            "no line \(name) (the GPIO chips of this machine are \(known.joined(separator: ", ")))"
        case .missing(let name): "no line \(name) ('gpioinfo' lists all lines)"
        case .ambiguous(let name, let chips):
            "several GPIO chips have a line \(name) (write "
                + "\(chips.map { "\"\($0):\(name.line)\"" }.joined(separator: " or ")))"
        case .busy(let name, let holder): "line \(name) is in use by \(holder ?? "another program")"
        case .noAccess(let name, let node, let group):
            "no permission to use line \(name) (\(node) is \(reservation(for: group)))"
        case .gone(let name): "the GPIO chip of line \(name) was unplugged"
        case .system(let name, let doing, let number):
            "line \(name) does not work (cannot \(doing): \(String(cString: strerror(number))))"
        }
    }
}
