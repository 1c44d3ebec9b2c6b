// Devices that come and go: how that is heard, when those are looked for that are not there, and who may open a node.

import CUdev
import EventLoop
import Glibc
import System

/// The changes of one kind of device. Where there is no udev, nothing is ever told.
package final class DeviceChanges {
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

    /// Calls the handler on the loop after each change, until this is let go; the handler notes it.
    func subscribe(on loop: EventLoop, _ handler: @escaping @Sendable () -> Void) {
        guard let descriptor else { return }
        do throws(SystemCallError) {
            watch = try loop.watch(descriptor, for: .readable) { _ in handler() }
        } catch {
            // As where there is no udev.
            watch = nil
        }
    }
}

/// A few tries soon, and ever fewer later: where udev tells of a new one, there is one at once.
struct DeviceRetry: Hashable, Sendable {
    /// When the next one is; nil where nothing is looked for.
    private(set) var uptime: Int?
    private var count = 0

    /// The backoff from one retry to the next, by the number of failures; the last for all further.
    private static let backoffMilliseconds = [250, 500, 1000, 2000, 5000, 10_000, 30_000, 60_000]

    func isDue(at now: Int) -> Bool { uptime.map { $0 <= now } ?? false }

    /// Something is not there: the retry comes with backoff.
    mutating func fail(at now: Int) {
        uptime = now + DeviceRetry.backoffMilliseconds[min(count, DeviceRetry.backoffMilliseconds.count - 1)]
        count += 1
    }

    /// All are there, or what there is has changed.
    mutating func reset() { self = DeviceRetry() }
}

enum DeviceNode {
    /// The group that may open a node, unless that is only root's; for whoever may not.
    static func group(of node: String) -> String? {
        var status = stat()
        guard stat(node, &status) == 0, status.st_gid != 0, let group = getgrgid(status.st_gid) else { return nil }
        return String(cString: group.pointee.gr_name)
    }
}
