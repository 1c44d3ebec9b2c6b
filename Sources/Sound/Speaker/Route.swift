// The ways for sound to get into the room, and which is better than which.

/// A sound card, or a sound server before the cards. It goes by its id: a card's index changes with each replugging.
package struct Route: Hashable, Sendable, Identifiable {
    /// What stands at its end.
    package enum Kind: String, Hashable, Sendable, CaseIterable, Comparable {
        /// A card or a loudspeaker on USB: somebody bought it to be heard.
        case usb
        /// A headphone or line socket, an amplifier on the board.
        case analogue
        /// PipeWire or PulseAudio, which choose a card themselves.
        case server
        /// A screen, which may be off or have no loudspeaker.
        case hdmi

        /// The better one first.
        package static func < (a: Kind, b: Kind) -> Bool {
            guard let first = allCases.firstIndex(of: a), let second = allCases.firstIndex(of: b) else { return false }
            return first < second
        }
    }

    /// What the system calls it, as `Headphones`.
    package var id: String
    package var kind: Kind
    package var name: String
    /// What a USB card says it is, as `0d8c:0014`: the same whichever socket it is in.
    package var usbID: String?

    package init(id: String, kind: Kind, name: String = "", usbID: String? = nil) {
        self.id = id
        self.kind = kind
        self.name = name.isEmpty ? id : name
        self.usbID = usbID
    }

    /// What it is called in the configuration: `usb:0d8c:0014`, or its id.
    package var configuredName: String { usbID.map { "usb:\($0)" } ?? id }
}

package enum RouteOrder: Hashable, Sendable {
    /// Every card: USB before analogue before HDMI.
    case standard
    /// These first, by id or by `usb:` and what a USB card says it is; `usb:` alone is every USB card. All others come
    /// behind them in the standard order: a card that nobody named is better than silence.
    case listed([String])

    /// The best one first. Routes that are equally good come by their ids, so that the order is always the same.
    package func ranked(_ routes: some Sequence<Route>) -> [Route] {
        routes.sorted { a, b in key(a) < key(b) }
    }

    /// The names in the list that stand for none of these routes, or only those that would come before one of them: each is a
    /// mistake, or a card that is not plugged in.
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
