// Help for whoever holds a code before the camera: what the camera sees, in words that say how to hold it.

import JSON

/// What the camera sees at one moment.
struct CameraSight: Hashable {
    /// What a frame showed.
    struct Frame: Hashable {
        var isDark = false
        /// From 0 for a covered lens to 100.
        var sharpness = 100
        /// How much of the frame's shorter side each code takes, in percent.
        var codeSizesPercent: [Int] = []
    }

    /// Why it gives no pictures; nil where it does.
    var problem: String?
    /// Nil while it is being opened.
    var frame: Frame?
    /// How often a code was shown that is not the one for the alarm, and whether such a code is in view.
    var wrongCount = 0
    var isWrongInView = false
    /// Whether the right code has been in view since it began to ring, and so does not count.
    var isStanding = false

    init(
        problem: String? = nil, frame: Frame? = nil, wrongCount: Int = 0, isWrongInView: Bool = false,
        isStanding: Bool = false
    ) {
        (self.problem, self.frame, self.isStanding) = (problem, frame, isStanding)
        (self.wrongCount, self.isWrongInView) = (wrongCount, isWrongInView)
    }

    init(_ fields: inout Fields) {
        problem = fields.text("problem")
        frame = fields.object("frame") { fields in
            Frame(
                isDark: fields.bool("dark") ?? false, sharpness: fields.integer("sharpness") ?? 100,
                codeSizesPercent: fields.each(of: "codes") { $0.integer("sizePercent") })
        }
        wrongCount = fields.integer("wrongCodes") ?? 0
        isWrongInView = fields.bool("wrongInView") ?? false
        isStanding = fields.bool("standing") ?? false
    }

    static func read(_ answer: Answer) throws(Refusal) -> CameraSight {
        try answer.read { fields in fields.object("view") { CameraSight(&$0) } }
    }

    /// A frame that is less sharp shows no code of which anything can be read.
    private static let sharpnessMin = 20
    /// A code that is smaller is read by luck.
    private static let codeSizePercentMin = 12

    /// What is in the way however the code is held, and what to do; nil where nothing is.
    var obstacle: String? {
        if let problem { return "There are no pictures: \(problem.asSentence)" }
        if frame?.isDark == true { return "Too dark: turn on a light" }
        if isStanding { return "The code has been in view since it began to ring: take it away, and show it again" }
        guard wrongCount > 0 else { return nil }
        let often = wrongCount == 1 ? "once" : "\(wrongCount) times"
        guard isWrongInView else { return "A code that is not the one for this alarm was shown \(often)" }
        return "This code is not the one for this alarm\(wrongCount == 1 ? "" : " (a wrong one was shown \(often))")"
    }

    /// What is in the way of reading a code, and what to do; nil where nothing is.
    var trouble: String? {
        if let obstacle { return obstacle }
        guard let frame else { return nil }
        if frame.codeSizesPercent.count > 1 { return "Several codes are in view: show one alone" }
        if let size = frame.codeSizesPercent.first {
            return size < CameraSight.codeSizePercentMin ? "The code is small: come nearer" : nil
        }
        return frame.sharpness < CameraSight.sharpnessMin ? "Not sharp: hold it still, or further away" : nil
    }

    /// What to do now.
    var words: String {
        if let trouble { return trouble }
        guard let frame else { return "The camera is being opened" }
        return frame.codeSizesPercent.isEmpty ? "Hold the code before the camera" : "Hold it still"
    }
}

/// The last line on a terminal, in which the help stands; no line elsewhere.
struct AimingLine {
    private let isShown: Bool
    private var drawn: String?

    init(isShown: Bool) { self.isShown = isShown }

    /// What puts these words in the place of those that stand there.
    mutating func drawing(_ words: String, columns: Int?) -> String {
        // A line that fills the terminal's width would wrap.
        let line = Columns.cut(words, to: max(1, (columns ?? 80) - 1))
        guard isShown, line != drawn else { return "" }
        drawn = line
        return "\r\(line)\u{1B}[K"
    }

    /// What takes them away.
    mutating func erasure() -> String {
        defer { drawn = nil }
        return drawn == nil ? "" : "\r\u{1B}[K"
    }
}
