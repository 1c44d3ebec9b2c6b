// A card: a route with the names by which ALSA opens it. And the list of all cards.

import Sound

package struct Card: Hashable, Sendable {
    package var route: Route
    /// ALSA's names of the card's devices, the best one first. If one does not open, the next is tried.
    package var devices: [String]
    /// ALSA's name of the card's mixer; nil if no mixer may be changed.
    package var mixer: String?

    package init(_ route: Route, devices: [String], mixer: String? = nil) {
        (self.route, self.devices, self.mixer) = (route, devices, mixer)
    }
}

package protocol CardList: Sendable {
    /// Returns the cards that exist now.
    func cards() throws(AlsaError) -> [Card]
    /// A descriptor that becomes readable when the cards change; nil if changes are not reported.
    var changeDescriptor: Int32? { get }
    /// Reads pending changes, so that the descriptor reports the next one.
    func drainChanges()
}
