// What is set for the whole device.

/// The settings that alarms are planned by.
public struct Settings: Hashable, Sendable {
    /// The device's zone; nothing for the zone that the machine is set to.
    public var zoneName: String?
    /// The master switch: off, no alarm rings.
    public var isEnabled = true
    /// Fields of the file that mean nothing here and are kept.
    public var unknown: [JSON.Member] = []

    /// The defaults.
    public init() {}
}
