// Advice for aiming a code at the camera.

import API

extension CameraViewReport {
    /// The reason, with advice, why no way of holding the code helps; nil if there is none.
    var obstacle: String? {
        if let problem { return "The camera gives no pictures: \(problem.asSentence)" }
        if frame?.dark == true { return "Too dark: turn on a light" }
        if removeAndShowAgain {
            return "The code has been in view since the ring began: take it away and show it again"
        }
        guard wrongCodes > 0 else { return nil }
        let often = wrongCodes == 1 ? "once" : "\(wrongCodes) times"
        guard wrongInView else { return "A wrong code was shown \(often)" }
        return "This is the wrong code for this alarm\(wrongCodes == 1 ? "" : " (shown \(often))")"
    }

    /// The reason, with advice, why the camera reads no code; nil if there is none.
    var trouble: String? {
        if let obstacle { return obstacle }
        return switch present {
        case .several: "Several codes are in view: show one alone"
        case .small: "The code is too small: come nearer"
        case .blurred: "Not sharp: hold the code still, or further away"
        case .dark, .standing, .wrong, .still, nil: nil
        }
    }

    var text: String {
        if let trouble { return trouble }
        guard let frame else { return "The camera is starting" }
        return frame.codes.isEmpty ? "Hold the code in front of the camera" : "Hold the code still"
    }
}

/// The last line of the terminal, redrawn with the advice. It stays empty unless `isShown` is true.
struct AimHint {
    private let isShown: Bool
    private var drawn: String?

    init(isShown: Bool) { self.isShown = isShown }

    /// Returns the output that replaces the line by this text, or an empty text if nothing changes.
    mutating func drawing(_ text: String, columns: Int?) -> String {
        // A line that fills the width of the terminal would wrap.
        let line = Columns.cut(text, to: max(1, (columns ?? 80) - 1))
        guard isShown, line != drawn else { return "" }
        drawn = line
        return "\r\(line)\u{1B}[K"
    }

    mutating func erasure() -> String {
        defer { drawn = nil }
        return drawn == nil ? "" : "\r\u{1B}[K"
    }
}
