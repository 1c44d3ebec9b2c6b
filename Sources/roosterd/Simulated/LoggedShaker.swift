// A simulated bed shaker, whose orders are logged.

import Devices
import Service

final class LoggedShaker: Shaker {
    private let log: Log
    private let stream = ReportStream<ShakerReport>()

    init(log: @escaping Log) {
        self.log = log
        stream.emit(.ready)
    }

    var reports: AsyncStream<ShakerReport> { stream.reports }

    func shake(_ shaking: Shaking?) { log(LogLine(.info, "The shaker \(shaking == nil ? "is off" : "shakes")")) }

    func end() { stream.finish() }
}
