// A simulated bed shaker, whose orders are logged.

import Devices
import Service
import Synchronization

final class LoggedShaker: Shaker {
    private let log: Log
    private let stream = ReportStream<ShakerReport>()
    private let order = Mutex<Shaking?>(nil)

    init(log: @escaping Log) {
        self.log = log
        stream.emit(.ready)
    }

    var reports: AsyncStream<ShakerReport> { stream.reports }

    /// The last order.
    var present: Shaking? { order.withLock { $0 } }

    func shake(_ shaking: Shaking?) {
        order.withLock { $0 = shaking }
        log(LogLine(.info, "The shaker \(shaking == nil ? "is off" : "shakes")"))
    }

    func end() { stream.finish() }
}
