// The contacts of the buttons, which bounce, and the debouncing between them and the service.

import Alarms
import Devices

struct NightButtons {
    /// Whether each contact is closed, and what its driver makes of it.
    private var contacts: [Button: (isDown: Bool, debounce: Debounce)] = [:]

    /// When a contact is read that may have moved while it was not listened to.
    var nextReadUptime: Int? { contacts.values.compactMap(\.debounce.readUptime).min() }

    /// A contact closes or opens, or bounces. Returns the presses and releases that its driver reports.
    mutating func move(_ button: Button, isDown: Bool, at uptime: Int) -> [ButtonReport] {
        var (_, debounce) = contacts[button] ?? (false, Debounce(isDown: false))
        let edges = debounce.edge(isDown: isDown, uptime: uptime, now: uptime)
        contacts[button] = (isDown, debounce)
        return edges.map { .moved(button, isDown: $0.isDown, uptime: $0.uptime) }
    }

    /// Reads the contacts that are to be read by now.
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
