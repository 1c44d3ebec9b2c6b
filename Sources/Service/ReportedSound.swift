// What a speaker tells, as the engine and the log hear it.

import Engine
import Sound

extension Input {
    /// What the engine is to know of it; nothing where it is only for the log.
    public init?(_ report: SpeakerReport) {
        switch report {
        case .started(let voice, let latency):
            self = .audioStarted(route: "\(voice)", latencyMilliseconds: latency)
        // How long it was not heard meanwhile, if at all, is not known.
        case .changed(_, let voice, _): self = .audioStarted(route: "\(voice)", latencyMilliseconds: nil)
        case .failed(let route, let failure): self = .audioFailed(route: route, reason: "\(failure)")
        case .warning, .routesChanged: return nil
        }
    }
}

extension LogLine {
    /// What its owner may want to look into; nothing where all is well.
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
