// A camera of a Linux machine, read by a program of its own.

import Devices
import EventLoop

/// Reads codes by the program `rooster-camera`, which lives for one order: nothing in this process parses a picture.
package final class LinuxCamera: Camera {
    package var reports: AsyncStream<CameraReport> { stream.reports }
    /// Previews are large: few of them wait for a listener.
    private let stream = ReportStream<CameraReport>(countMax: 64)
    private let driver: CameraHelperDriver
    private let loop: EventLoop

    package init(_ settings: CameraSettings, on loop: EventLoop) {
        driver = CameraHelperDriver(settings, stream, loop)
        self.loop = loop
    }

    deinit { end() }

    package func order(_ order: CameraOrder) {
        Task(executorPreference: loop) { [driver] in await driver.order(order) }
    }

    /// Lets go of the camera for good: the reports end when its program has.
    package func end() {
        Task(executorPreference: loop) { [driver] in await driver.end() }
    }
}
