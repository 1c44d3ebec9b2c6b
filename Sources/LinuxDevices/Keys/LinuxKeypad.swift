// Keypads and keyboards that are plugged in.

import Devices
import Loop

/// All keypads that there are, or one of them, heard while they are ordered on.
public final class LinuxKeypad: Keypad {
    /// What is typed, for one listener: whoever listens late gets the newest of what was told.
    public let reports: AsyncStream<KeypadReport>
    private let work: KeypadWork
    private let loop: EventLoop

    /// Whoever does not listen loses the oldest.
    private static let reportsMax = 64

    /// Keypads that are off, on that loop: those by that name, as `ls /dev/input/by-id` shows its beginning or as they call
    /// themselves; nil for all.
    public convenience init(name: String? = nil, on loop: EventLoop) {
        self.init(name: name, in: "/dev/input", on: loop)
    }

    init(name: String?, in folder: String, on loop: EventLoop) {
        let (reports, reporting) = AsyncStream.makeStream(
            of: KeypadReport.self, bufferingPolicy: .bufferingNewest(LinuxKeypad.reportsMax))
        (self.reports, self.loop) = (reports, loop)
        work = KeypadWork(name, in: folder, on: loop, reporting)
    }

    deinit {
        end()
    }

    /// Whether it tells what is typed from now on.
    public func order(isOn: Bool) {
        Task(executorPreference: loop) { [work] in await work.order(isOn: isOn) }
    }

    /// Lets go of all keypads for good.
    public func end() {
        Task(executorPreference: loop) { [work] in await work.end() }
    }
}
