// The soft chime of a wake-up check and of a bedtime.

extension RingSettings {
    /// Returns the chime of an alarm: soft, at once, and with another sound than the ring.
    package static func chime(of ring: RingSettings = RingSettings()) -> RingSettings {
        var chime = RingSettings()
        chime.sound = ring.sound == "bells01" ? "glass01" : "bells01"
        (chime.volume, chime.rampSeconds) = (0.3, 0)
        return chime
    }

    package static let chimeMilliseconds = 8000
}
