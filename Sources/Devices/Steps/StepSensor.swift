// What feels the steps of somebody who has to walk.

/// A mat, a beam, a motion detector or a step counter. It decides nothing, not even whether two pulses are one step.
public protocol StepSensor: Sendable {
    /// Whether it tells steps from now on. It returns at once.
    func order(isOn: Bool)
    /// Lets go of it for good; the reports end.
    func end()
    /// What it feels, for one listener.
    var reports: AsyncStream<StepReport> { get }
}

/// What a step sensor tells.
public enum StepReport: Hashable, Sendable {
    /// It can be read from now on. One that is active at first may be stuck: that is no step.
    case ready(isActive: Bool)
    /// Somebody stepped on it, or passed it, at that time in milliseconds since the machine was started.
    case step(uptime: Int)
    /// It cannot be read, and why. It is tried again until it is ordered off.
    case failed(StepFailure)
    /// It may not work as it is wired, in words.
    case warning(String)
}
