// What the sleeper must do before an alarm can be stopped.

import JSON
import Text

/// A challenge, with what it asks for.
public struct Challenge: Hashable, Sendable {
    package var task: Task
    /// Fields of the file that mean nothing here and are kept.
    package var unknown: [JSON.Member]

    /// What there is to do.
    public indirect enum Task: Hashable, Sendable {
        /// Show one of the enrolled codes with these labels to the camera.
        case code(labels: [String])
        case sums(level: Int, count: Int, limitSeconds: Int)
        case steps(count: Int)
        /// Repeat a sequence on the two buttons.
        case pattern(length: Int)
        /// Touch one of the enrolled tags with these labels.
        case tag(labels: [String])
        /// One of these, drawn by lot.
        case roulette([Challenge])
        /// A kind that this Rooster does not know: kept as it is, but it cannot be met.
        case unknown(kind: String)
    }

    /// The name of a kind, as files have it.
    public enum Kind: String, Choice {
        case qr, math, steps, pattern, tag, roulette
    }

    package init(_ task: Task, unknown: [JSON.Member] = []) {
        self.task = task
        self.unknown = unknown
    }

    /// The kind of challenge; nil where this Rooster does not know it.
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

    /// The limits within which a challenge can be asked for, and what it asks when the owner says nothing.
    enum Limits {
        static let sumLevel = 1...3
        static let sumLevelDefault = 1
        static let sumCount = 1...20
        static let sumCountDefault = 3
        static let sumSeconds = 15...300
        static let sumSecondsDefault = 60
        static let stepCount = 10...500
        static let stepCountDefault = 30
        static let patternLength = 3...12
        static let patternLengthDefault = 5
        /// More challenges than this keep nobody more awake.
        static let perAlarm = 10
        /// More codes or tags than this to choose from hang in no house.
        static let labels = 64
    }
}
