// The camera of a Linux machine, read by a helper process.

import Devices
import EventLoop

/// A camera read by the program `rooster-camera`, so that this process parses no picture.
package final class LinuxCamera: Camera {
    package var reports: AsyncStream<CameraReport> { stream.reports }
    /// Previews are large, so only a few reports are kept for a slow subscriber.
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

    /// Releases the camera for good. The reports end when the helper has exited.
    package func end() {
        Task(executorPreference: loop) { [driver] in await driver.end() }
    }
}
