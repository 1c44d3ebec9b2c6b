// The speaker, as the service sees it.

/// A speaker that plays the ordered sound on the best route proven to play, and fails over to another.
package protocol Speaker: Sendable {
    /// Replaces the current order. Returns at once.
    func order(_ order: SpeakerOrder)
    /// Emits a short signal. If a sound is playing, it is interrupted for 150 ms, once a second at most. If
    /// no sound is ordered, the buzzer plays this pattern once. Returns at once.
    func signal(_ signal: PulsePattern)
    /// Tests every known card in silence, and calls back with their health after about two seconds at most.
    /// Call it only while no card is in use: a card that is being tested does not play. Returns at once.
    func tryCards(then callback: @escaping @Sendable ([Route.ID: RouteStatus.RouteHealth]) -> Void)
    /// Stops for good. The reports end once the changes that a sound required are undone, if they can be.
    func end()
    /// The reports on the orders, for a single subscriber.
    var reports: AsyncStream<SpeakerReport> { get }
    var status: SpeakerStatus { get }
    /// Returns true if the speaker has made progress since the last call and no hung part keeps a ring
    /// silent. If it returns false, a ring would not be heard either.
    func isAlive() -> Bool
}
