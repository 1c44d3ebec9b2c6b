// Help with aiming: what the camera sees of a code, in words that say how to hold it.

import API

extension CameraViewReport {
    /// No code can be read in a frame that is less sharp.
    private static let sharpnessMin = 20
    /// A smaller code is read only by luck.
    private static let codeSizePercentMin = 12

    /// What prevents reading a code however it is held, and what to do; nil where nothing does.
    var obstacle: String? {
        if let problem { return "There are no pictures: \(problem.asSentence)" }
        if frame?.dark == true { return "Too dark: turn on a light" }
        if removeAndShowAgain {
            return "The code has been in view since it began to ring: take it away, and show it again"
        }
        guard wrongCodes > 0 else { return nil }
        let often = wrongCodes == 1 ? "once" : "\(wrongCodes) times"
        guard wrongInView else { return "A code that is not the one for this alarm was shown \(often)" }
        return "This code is not the one for this alarm\(wrongCodes == 1 ? "" : " (a wrong one was shown \(often))")"
    }

    /// What prevents reading a code, and what to do; nil where nothing does.
    var trouble: String? {
        if let obstacle { return obstacle }
        guard let frame else { return nil }
        if frame.codes.count > 1 { return "Several codes are in view: show one alone" }
        if let size = frame.codes.first?.sizePercent {
            return size < CameraViewReport.codeSizePercentMin ? "The code is small: come nearer" : nil
        }
        return frame.sharpness < CameraViewReport.sharpnessMin ? "Not sharp: hold it still, or further away" : nil
    }

    var words: String {
        if let trouble { return trouble }
        guard let frame else { return "The camera is being opened" }
        return frame.codes.isEmpty ? "Hold the code before the camera" : "Hold it still"
    }
}

/// The terminal's last line, which is redrawn with the help; elsewhere it draws nothing.
struct AimingLine {
    private let isShown: Bool
    private var drawn: String?

    init(isShown: Bool) { self.isShown = isShown }

    /// The output that replaces the line by these words; empty where they are unchanged.
    mutating func drawing(_ words: String, columns: Int?) -> String {
        // A line that fills the terminal's width would wrap.
        let line = Columns.cut(words, to: max(1, (columns ?? 80) - 1))
        guard isShown, line != drawn else { return "" }
        drawn = line
        return "\r\(line)\u{1B}[K"
    }

    mutating func erasure() -> String {
        defer { drawn = nil }
        return drawn == nil ? "" : "\r\u{1B}[K"
    }
}
