// A route, and the names by which ALSA opens it.

import Sound

package struct Card: Hashable, Sendable {
    package var route: Route
    /// ALSA's names of its devices, the best one first: another is tried when one does not open.
    package var devices: [String]
    /// ALSA's name of its mixer; nothing where there is none to be touched.
    package var mixer: String?

    package init(_ route: Route, devices: [String], mixer: String? = nil) {
        (self.route, self.devices, self.mixer) = (route, devices, mixer)
    }
}

package protocol CardList: Sendable {
    /// All that are there now, or why nobody knows.
    func cards() throws(AlsaError) -> [Card]
    /// What becomes readable when there are others; nothing where that is not told.
    var changeDescriptor: Int32? { get }
    /// Takes note of a change, so that the descriptor tells of the next one.
    func drainChanges()
}
