// A simulated lamp of the sunrise, whose orders are logged.

import Devices
import Service

final class LoggedSunriseLamp: SunriseLamp {
    private let log: Log
    private let stream = ReportStream<SunriseReport>()

    init(log: @escaping Log) {
        self.log = log
        stream.emit(.ready)
    }

    var reports: AsyncStream<SunriseReport> { stream.reports }

    func show(_ light: SunriseLight?) {
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
