// The routes by which sound can be played, and their ranking.

/// A sound card, or a sound server in front of the cards. It is identified by its id, because a card's
/// index changes when it is plugged in again.
package struct Route: Hashable, Sendable, Identifiable {
    /// The type of output that a route ends at.
    package enum Kind: String, Hashable, Sendable, CaseIterable, Comparable {
        /// A card or loudspeaker on USB. Its owner bought it to hear sound.
        case usb
        /// A headphone or line socket, or an amplifier on the board.
        case analogue
        /// PipeWire or PulseAudio, which choose a card themselves.
        case server
        /// A screen. It may be off or have no loudspeaker.
        case hdmi

        /// Orders the better kind first.
        package static func < (a: Kind, b: Kind) -> Bool {
            guard let first = allCases.firstIndex(of: a), let second = allCases.firstIndex(of: b) else { return false }
            return first < second
        }
    }

    /// The system's id of the card, such as `Headphones`.
    package var id: String
    package var kind: Kind
    package var name: String
    /// A USB card's vendor and product, such as `0d8c:0014`. It is the same in every socket.
    package var usbID: String?

    package init(id: String, kind: Kind, name: String = "", usbID: String? = nil) {
        self.id = id
        self.kind = kind
        self.name = name.isEmpty ? id : name
        self.usbID = usbID
    }

    /// The name for the configuration: `usb:0d8c:0014`, or the id.
    package var configuredName: String { usbID.map { "usb:\($0)" } ?? id }
}

package enum RouteOrder: Hashable, Sendable {
    /// Every card: USB before analogue before sound server before HDMI.
    case standard
    /// The listed routes first, by id or by `usb:` and a card's USB id; `usb:` alone is every USB card. All
    /// other routes follow in the standard order, because an unlisted card is better than silence.
    case listed([String])

    /// Returns the routes, the best one first. Equals are ordered by id, so that the result is stable.
    package func ranked(_ routes: some Sequence<Route>) -> [Route] {
        routes.sorted { a, b in key(a) < key(b) }
    }

    /// Returns the listed names that match none of these routes. If `before` is given, only names ahead of
    /// that route's count. Such a name is a mistake, or its card is not plugged in.
    package func namesWithoutRoute(among routes: some Sequence<Route>, before route: Route? = nil) -> [String] {
        guard case .listed(let names) = self else { return [] }
        let first = names.prefix { name in route.map { !RouteOrder.name(name, standsFor: $0) } ?? true }
        return first.filter { name in !routes.contains { RouteOrder.name(name, standsFor: $0) } }
    }

    package func names(_ route: Route) -> Bool {
        guard case .listed(let names) = self else { return false }
        return names.contains { RouteOrder.name($0, standsFor: route) }
    }

    private func key(_ route: Route) -> (Int, Route.Kind, String) {
        guard case .listed(let names) = self else { return (0, route.kind, route.id) }
        let place = names.firstIndex { RouteOrder.name($0, standsFor: route) } ?? names.count
        return (place, route.kind, route.id)
    }

    private static func name(_ name: String, standsFor route: Route) -> Bool {
        guard name.hasPrefix("usb:") else { return name == route.id }
        let rest = name.dropFirst(4)
        return route.kind == .usb && (rest.isEmpty || rest == route.id || rest == route.usbID ?? "")
    }
}
