// Drives devices that come and go.
//
// Every kind of device can be missing at the start, can be lost at any time, and can come back under another
// number. `HotplugDriver` handles this once for all of them:
//
// 1. It opens the devices when it is ordered on, and closes them when it is ordered off.
// 2. If a device is missing or lost, it tries again with backoff, and at once when udev reports a change.
// 3. It reports a failure once, until the failure changes or the device can be used.
//
// A `DeviceDriver` implements the rest: which devices to open, how to handle an event, when to act next.

import Devices
import EventLoop
import System

#if compiler(<6.2)
    /// Swift 6.2 has this protocol, and requires it if a closure on another thread uses a generic type.
    protocol SendableMetatype {}
#endif

/// The part of a `HotplugDriver` for one kind of device. The methods are called on the loop and must not
/// block.
protocol DeviceDriver: SendableMetatype {
    /// The name of a device within its driver; `AllDevices` if the driver has one failure for all devices.
    associatedtype ID: Hashable & Sendable
    associatedtype Failure: Error & Hashable
    associatedtype Report: Sendable
    /// An event of a device: its descriptor is ready, it was read, or it was given an order.
    associatedtype Event: Sendable
    typealias Port = DriverPort<Self>

    /// The kernel's name of the kind of device, which filters udev's events.
    static var subsystem: String { get }
    static func report(_ failure: Failure, of id: ID) -> Report
    /// Returns the failures to report if the loop has no timer for the devices.
    func failures(of error: SystemCallError) -> [ID: Failure]
    /// Opens each device that is not open, and records the results with the port.
    mutating func open(_ port: inout Port)
    /// Tests each open device. Some kernels report the loss of a device only to udev.
    mutating func test(_ port: inout Port)
    mutating func handle(_ event: Event, _ port: inout Port)
    /// Does everything that is due. Returns the time of the next call; nil for never.
    mutating func update(_ port: inout Port) -> Int?
    /// Closes all devices, and calls back on the loop when they are closed.
    mutating func close(then callback: @escaping @Sendable () -> Void)
}

extension DeviceDriver {
    mutating func test(_ port: inout Port) {}
    mutating func update(_ port: inout Port) -> Int? { nil }
}

/// The services that a `DeviceDriver` may use during a call.
struct DriverPort<Driver: DeviceDriver> {
    let loop: EventLoop
    let emit: @Sendable (Driver.Report) -> Void
    /// Makes the driver handle an event, on the loop. Events from before the driver was closed are dropped.
    let post: @Sendable (Driver.Event) -> Void
    fileprivate(set) var absences = Absences<Driver.ID, Driver.Failure>()

    /// Records that a device can be used.
    mutating func succeed(_ id: Driver.ID) { absences.remove(id) }

    /// Records that a device could not be opened. Reports the failure if it is new.
    mutating func fail(_ id: Driver.ID, _ failure: Driver.Failure) {
        if absences.insert(id, failure) { emit(Driver.report(failure, of: id)) }
    }

    /// Records that an open device was lost: the next attempt to open it comes soon.
    mutating func lose(_ id: Driver.ID, _ failure: Driver.Failure) {
        retrySoon()
        fail(id, failure)
    }

    mutating func retrySoon() { absences.retrySoon(at: Uptime.milliseconds) }
}

/// Runs a `DeviceDriver` on a loop: timers, udev events, retries.
actor HotplugDriver<Driver: DeviceDriver> {
    private var driver: Driver
    private let loop: EventLoop
    private let emit: @Sendable (Driver.Report) -> Void
    /// Nil while the driver is off.
    private var port: DriverPort<Driver>?
    private var timer: LoopTimer?
    private var monitor: UdevMonitor?
    /// The number of the current run. Events of earlier runs are dropped.
    private var runCount = 0

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(_ driver: sending Driver, on loop: EventLoop, emit: @escaping @Sendable (Driver.Report) -> Void) {
        self.driver = driver
        self.loop = loop
        self.emit = emit
    }

    func order(isOn: Bool) {
        guard isOn != (port != nil) else { return }
        if isOn { start() } else { close {} }
    }

    /// Turns the driver off, and calls back on the loop when its devices are closed.
    func close(then callback: @escaping @Sendable () -> Void) {
        port = nil
        timer = nil
        monitor = nil
        driver.close(then: callback)
    }

    /// Makes the driver handle an event, unless the driver is off.
    func post(_ event: Driver.Event) { run { $0.handle(event, &$1) } }

    private func start() {
        do throws(SystemCallError) {
            timer = try LoopTimer(on: loop) { [weak self] in self?.assumeIsolated { $0.run { _, _ in } } }
        } catch {
            for (id, failure) in driver.failures(of: error) { emit(Driver.report(failure, of: id)) }
            return
        }
        monitor = UdevMonitor(of: Driver.subsystem)
        monitor?.subscribe(on: loop) { [weak self] in self?.assumeIsolated { $0.devicesChanged() } }
        runCount += 1
        port = DriverPort(loop: loop, emit: emit) { [weak self, runCount] event in
            self?.assumeIsolated { if $0.runCount == runCount { $0.post(event) } }
        }
        run { HotplugDriver.openAll(&$0, &$1) }
    }

    private func devicesChanged() {
        monitor?.drain()
        run { driver, port in
            driver.test(&port)
            port.absences.restartBackoff()
            HotplugDriver.openAll(&driver, &port)
        }
    }

    /// Calls the driver, does everything that is due, and sets the timer.
    private func run(_ act: (inout Driver, inout DriverPort<Driver>) -> Void) {
        guard var port else { return }
        act(&driver, &port)
        if port.absences.backoff.isDue(at: Uptime.milliseconds) { HotplugDriver.openAll(&driver, &port) }
        let deadline = driver.update(&port)
        self.port = port
        timer?.set(uptimeMilliseconds: [deadline, port.absences.backoff.uptime].compactMap(\.self).min())
    }

    private static func openAll(_ driver: inout Driver, _ port: inout DriverPort<Driver>) {
        driver.open(&port)
        port.absences.endAttempt(at: Uptime.milliseconds)
    }
}
