// The buttons' contacts, which bounce, and their debouncing as in the real driver.

import Alarms
import Devices

struct NightButtons {
    /// The state of each contact, with its debouncer.
    private var contacts: [Button: (isDown: Bool, debounce: Debounce)] = [:]

    /// The time at which a contact must be read, because it may have moved while edges were ignored.
    var nextReadUptime: Int? { contacts.values.compactMap(\.debounce.readUptime).min() }

    /// Closes or opens a contact. Returns the presses and releases that its driver reports.
    mutating func move(_ button: Button, isDown: Bool, at uptime: Int) -> [ButtonReport] {
        var (_, debounce) = contacts[button] ?? (false, Debounce(isDown: false))
        let edges = debounce.edge(isDown: isDown, uptime: uptime, now: uptime)
        contacts[button] = (isDown, debounce)
        return edges.map { .moved(button, isDown: $0.isDown, uptime: $0.uptime) }
    }

    /// Reads the contacts that are due for it. Returns the presses and releases that their driver reports.
    mutating func read(at uptime: Int) -> [ButtonReport] {
        Button.allCases.flatMap { button -> [ButtonReport] in
            guard let contact = contacts[button], let due = contact.debounce.readUptime, due <= uptime else {
                return []
            }
            var debounce = contact.debounce
            let edges = debounce.read(isDown: contact.isDown, uptime: uptime)
            contacts[button] = (contact.isDown, debounce)
            return edges.map { .moved(button, isDown: $0.isDown, uptime: $0.uptime) }
        }
    }
}
