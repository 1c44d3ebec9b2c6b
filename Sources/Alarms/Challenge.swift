// The challenges that the sleeper completes before an alarm can be stopped.

import JSON
import Text

/// One challenge of an alarm.
public struct Challenge: Hashable, Sendable {
    package var task: Task
    /// Unknown members of the file, which are kept.
    package var unknown: [JSON.Member]

    /// The task of a challenge, with its parameters.
    public indirect enum Task: Hashable, Sendable {
        /// Show one of the enrolled codes with these labels to the camera.
        case code(labels: [String])
        case sums(level: Int, count: Int, limitSeconds: Int)
        case steps(count: Int)
        /// Repeat a sequence on the two buttons.
        case pattern(length: Int)
        /// Touch one of the enrolled tags with these labels.
        case tag(labels: [String])
        /// One of these, drawn at random.
        case roulette([Challenge])
        /// A kind that this version does not support. It is kept as it is, but cannot be completed.
        case unknown(kind: String)
    }

    /// A kind of challenge, by its name in files.
    public enum Kind: String, Choice {
        case qr, math, steps, pattern, tag, roulette
    }

    package init(_ task: Task, unknown: [JSON.Member] = []) {
        self.task = task
        self.unknown = unknown
    }

    /// The kind of challenge; nil if this version does not support it.
    package var kind: Kind? {
        switch task {
        case .code: .qr
        case .sums: .math
        case .steps: .steps
        case .pattern: .pattern
        case .tag: .tag
        case .roulette: .roulette
        case .unknown: nil
        }
    }

    /// The bounds and the defaults of a challenge's parameters.
    package enum Limits {
        package static let sumLevel = 1...3
        package static let sumLevelDefault = 1
        package static let sumCount = 1...20
        package static let sumCountDefault = 3
        package static let sumSeconds = 15...300
        package static let sumSecondsDefault = 60
        package static let stepCount = 10...500
        package static let stepCountDefault = 30
        package static let patternLength = 3...12
        package static let patternLengthDefault = 5
        /// More challenges keep a sleeper no more awake.
        package static let perAlarm = 10
        /// No home has more codes or tags to choose from.
        package static let labels = 64
    }
}
