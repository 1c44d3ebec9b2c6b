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

extension LineFailure: CustomStringConvertible {
    package var description: String {
        switch self {
        case .noChip(let name): "the line \(name) is not there: this machine has no GPIO chip"
        case .missingChip(let name, let known):
            "the line \(name) is not there: no GPIO chip has that label, only \(known.joined(separator: ", "))"
        case .missing(let name): "no GPIO chip has a line \(name): 'gpioinfo' lists those that there are"
        case .ambiguous(let name, let chips):
            "several GPIO chips have a line \(name): say which, as in \"\(chips.first ?? ""):\(name.line)\", of "
                + chips.joined(separator: ", ")
        case .busy(let name, let holder): "the line \(name) is in use by \(holder ?? "another program")"
        case .noAccess(let name, let node, let group):
            "the line \(name) may not be used: \(node) \(group.map { "is the group \($0)'s" } ?? "may not be opened")"
        case .gone(let name): "the GPIO chip of the line \(name) was unplugged"
        case .system(let name, let doing, let number):
            "the line \(name): cannot \(doing): \(String(cString: strerror(number)))"
        }
    }
}
