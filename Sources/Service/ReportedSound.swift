// A speaker's reports, as the engine and the log get them.

import Engine
import Sound

extension Input {
    /// The input for the engine; nil where the report is only for the log.
    public init?(_ report: SpeakerReport) {
        switch report {
        case .started(let voice, let latency):
            self = .audioStarted(route: "\(voice)", latencyMilliseconds: latency)
        // The latency of a change of route is not known.
        case .changed(_, let voice, _): self = .audioStarted(route: "\(voice)", latencyMilliseconds: nil)
        case .failed(let route, let failure): self = .audioFailed(route: route, reason: "\(failure)")
        case .warning, .routesChanged: return nil
        }
    }
}

extension LogLine {
    /// A line for the log; nil where all is well.
    init?(_ report: SpeakerReport) {
        switch report {
        case .started, .routesChanged: return nil
        case .changed(let old, let new, let why):
            self.init(.warning, "Heard by \(new) in place of \(old.map { "\($0)" } ?? "nothing"): \(why)")
        case .failed(let route, let failure): self.init(.warning, "Not heard by \(route): \(failure)")
        case .warning(let words): self.init(.warning, words)
        }
    }
}
