// A camera of a Linux machine, read by a program of its own.

import Devices
import EventLoop
import Synchronization

/// Reads codes by the program `rooster-camera`, which lives for one order: nothing in this process looks at a picture.
package final class LinuxCamera: Camera {
    private let mailbox: CameraMailbox
    private let work: CameraWork
    private let loop: EventLoop

    package init(_ settings: CameraSettings, on loop: EventLoop) {
        mailbox = CameraMailbox()
        work = CameraWork(settings, mailbox, loop)
        self.loop = loop
    }

    deinit {
        end()
    }

    package func order(_ order: CameraOrder) {
        mailbox.post(order)
        wake()
    }

    /// Lets go of the camera for good: the reports end when its program has.
    package func end() {
        mailbox.end()
        wake()
    }

    /// What its frames show and what fails, for one listener: whoever listens late gets the newest of what was told.
    package var reports: AsyncStream<CameraReport> { mailbox.reports }

    private func wake() {
        Task(executorPreference: loop) { [work] in await work.applyOrder() }
    }
}

/// What the camera's work shares with everybody else: mailbox go in, reports come out.
final class CameraMailbox: Sendable {
    private let order = Mutex<(newest: CameraOrder?, isOver: Bool)>((nil, false))
    let reports: AsyncStream<CameraReport>
    private let reporting: AsyncStream<CameraReport>.Continuation

    /// Whoever does not listen loses the oldest.
    private static let reportsMax = 64

    init() {
        (reports, reporting) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(CameraMailbox.reportsMax))
    }

    /// Takes the place of an order that was not taken yet; after the end there is none.
    func post(_ new: CameraOrder) {
        order.withLock { if !$0.isOver { $0.newest = new } }
    }

    func end() { order.withLock { $0 = (.off, true) } }

    /// The newest, if it was not taken yet.
    func take() -> (order: CameraOrder?, isOver: Bool) {
        order.withLock { order in
            defer { order.newest = nil }
            return (order.newest, order.isOver)
        }
    }

    func report(_ report: CameraReport) { reporting.yield(report) }

    func finish() { reporting.finish() }
}
