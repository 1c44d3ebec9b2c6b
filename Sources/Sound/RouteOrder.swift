// Which way for sound is better than which.

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
