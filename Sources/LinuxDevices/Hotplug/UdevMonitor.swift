// Reports of udev that devices come and go, and the group that may open a device.

import CUdev
import EventLoop
import Glibc
import System

/// A udev monitor for one kind of device. Without udev it reports nothing.
package final class UdevMonitor {
    private let udev: OpaquePointer?
    private let monitor: OpaquePointer?
    private var watch: Watch?

    /// Starts to listen: `subsystem` is the kernel's name of the kind.
    package init(of subsystem: String) {
        udev = udev_new()
        monitor = udev.flatMap { udev_monitor_new_from_netlink($0, "udev") }
        guard let monitor else { return }
        udev_monitor_filter_add_match_subsystem_devtype(monitor, subsystem, nil)
        udev_monitor_enable_receiving(monitor)
    }

    deinit {
        watch = nil
        if let monitor { udev_monitor_unref(monitor) }
        if let udev { udev_unref(udev) }
    }

    /// Becomes readable when a device comes or goes.
    package var descriptor: Int32? { monitor.map { udev_monitor_get_fd($0) } }

    package func drain() {
        guard let monitor else { return }
        while let device = udev_monitor_receive_device(monitor) { udev_device_unref(device) }
    }

    /// Calls the handler on the loop after each change until the monitor is released. The handler calls
    /// `drain`.
    func subscribe(on loop: EventLoop, _ handler: @escaping @Sendable () -> Void) {
        guard let descriptor else { return }
        do throws(SystemCallError) {
            watch = try loop.watch(descriptor, for: .readable) { _ in handler() }
        } catch {
            // Without a watch, retries find the device later, as they do without udev.
            watch = nil
        }
    }
}
