// What switches a sleeping machine on.

/// A clock with a battery that wakes the machine itself: without one, a machine that sleeps or is off stays so.
public protocol Waker: Sendable {
    /// Has the machine awake when the system's clock will show that time, in the place of any time before; nothing for
    /// never. It may be some seconds early. A time that is over needs no waking.
    func set(wallMilliseconds: Int?) throws(WakerError)
}
