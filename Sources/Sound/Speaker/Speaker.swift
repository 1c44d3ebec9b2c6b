// The speaker that the service talks to.

/// Plays what is ordered on the best route that is proven to play, and goes to another when it is not.
package protocol Speaker: Sendable {
    /// Says what is to be heard from now on, in the place of every order before. It returns at once.
    func order(_ order: SpeakerOrder)
    /// Gives a short signal: a sound that is playing is interrupted for 150 ms, once in a second at most. While nothing is to be
    /// played, the buzzer pulses once in this rhythm. It returns at once.
    func signal(_ signal: PulsePattern)
    /// Tries every card in silence, and tells how each is that it knows of, some two seconds later at most. It is for when none
    /// is in use: a card that is being tried does not play. It returns at once.
    func tryCards(then callback: @escaping @Sendable ([Route.ID: RouteStatus.RouteHealth]) -> Void)
    /// Falls silent for good. The reports end when all that was changed for a sound is put back, as far as that can be.
    func end()
    /// What becomes of the orders, for one listener.
    var reports: AsyncStream<SpeakerReport> { get }
    var status: SpeakerStatus { get }
    /// Whether it has moved since this was asked last, and nothing that hangs keeps it from being heard: one that has not will not
    /// ring either.
    func isAlive() -> Bool
}
