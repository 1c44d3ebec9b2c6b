// A camera of a Linux machine, read by a program of its own.

import Devices
import Loop
import Synchronization

/// Reads codes by the program `sight`, which lives for one order: nothing in this process looks at a picture.
public final class LinuxCamera: Camera {
    private let orders: CameraOrders
    private let work: CameraWork
    private let loop: EventLoop

    /// A camera that is off, on that loop.
    public init(_ settings: CameraSettings, on loop: EventLoop) {
        orders = CameraOrders()
        work = CameraWork(settings, orders, loop)
        self.loop = loop
    }

    deinit {
        end()
    }

    /// Says what it does from now on.
    public func order(_ order: CameraOrder) {
        orders.put(order)
        wake()
    }

    /// Lets go of the camera for good: the reports end when its program has.
    public func end() {
        orders.end()
        wake()
    }

    /// What its frames show and what fails, for one listener: whoever listens late gets the newest of what was told.
    public var reports: AsyncStream<CameraReport> { orders.reports }

    private func wake() {
        Task(executorPreference: loop) { [work] in await work.takeOrder() }
    }
}

/// What the camera's work shares with everybody else: orders go in, reports come out.
final class CameraOrders: Sendable {
    private let order = Mutex<(newest: CameraOrder?, isOver: Bool)>((nil, false))
    let reports: AsyncStream<CameraReport>
    private let reporting: AsyncStream<CameraReport>.Continuation

    /// Whoever does not listen loses the oldest.
    private static let reportsMax = 64

    init() {
        (reports, reporting) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(CameraOrders.reportsMax))
    }

    /// Takes the place of an order that was not taken yet; after the end there is none.
    func put(_ new: CameraOrder) {
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
