// A simulated lamp of the sunrise, whose orders are logged.

import Devices
import Service
import Synchronization

final class LoggedSunriseLamp: SunriseLamp {
    private let log: Log
    private let stream = ReportStream<SunriseReport>()
    private let order = Mutex<SunriseLight?>(nil)

    init(log: @escaping Log) {
        self.log = log
        stream.emit(.ready)
    }

    var reports: AsyncStream<SunriseReport> { stream.reports }

    /// The last order.
    var present: SunriseLight? { order.withLock { $0 } }

    func show(_ light: SunriseLight?) {
        order.withLock { $0 = light }
        let text =
            switch light {
            case .rising(let from, let until): "rises for \((until - from) / 60_000) min"
            case .full: "is full"
            case nil: "is off"
            }
        log(LogLine(.info, "The sunrise lamp \(text)"))
    }

    func end() { stream.finish() }
}
