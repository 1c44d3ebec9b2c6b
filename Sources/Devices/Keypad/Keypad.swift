// What sums are answered on from bed.

/// A keypad, or several, on which numbers are typed. It decides nothing.
public protocol Keypad: Sendable {
    /// Whether it tells what is typed from now on: its keys then go nowhere else. It returns at once.
    func order(isOn: Bool)
    /// Lets go of it for good; the reports end.
    func end()
    /// What is typed, for one listener.
    var reports: AsyncStream<KeypadReport> { get }
}

/// What a keypad tells.
public enum KeypadReport: Hashable, Sendable {
    /// It is listened to, under the name by which its owner knows it.
    case ready(name: String)
    /// A number was typed, and Enter behind it.
    case number(Int)
    /// Nothing can be typed, or not on this one, and why. It is tried again until it is ordered off.
    case failed(KeypadFailure)
}
