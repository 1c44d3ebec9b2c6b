// The limits of an alarm's members, for the form in which a client edits an alarm.

import Alarms
import Challenges
import Engine

/// The smallest and the largest value of a member, both included.
package struct LimitReport: Codable, Hashable, Sendable {
    /// The smallest value.
    package let min: Int
    /// The largest value.
    package let max: Int

    init(_ range: ClosedRange<Int>) { (min, max) = (range.lowerBound, range.upperBound) }
}

package struct LimitsReport: Codable, Hashable, Sendable {
    /// The lowest volume without a warning. The volume is more than 0, and at most 1.
    package let volumeMin: Double
    /// The time in which the volume rises.
    package let rampSeconds: LimitReport
    /// The length of a ring without an answer.
    package let ringSeconds: LimitReport
    /// An alarm's own snooze. `snoozeSecondsMin` and `snoozeSecondsMax` limit the snooze of every alarm.
    package let snoozeSeconds: LimitReport
    package let snoozes: LimitReport
    package let lateSeconds: LimitReport
    /// The time before a ring in which a movement begins it.
    package let earlySeconds: LimitReport
    package let challenges: LimitReport
    /// The level of sums.
    package let sumLevel: LimitReport
    /// The number of sums.
    package let sumCount: LimitReport
    /// The time for each sum.
    package let sumSeconds: LimitReport
    /// The number of steps.
    package let steps: LimitReport
    /// The number of presses in a pattern.
    package let patternLength: LimitReport
    /// The least size of a code before the camera, in percent of the picture's shorter side.
    package let codeSizePercentMin: Int
    /// The least sharpness of a picture in which a code can be read.
    package let sharpnessMin: Int
    /// A sum of each level, from level 1 on.
    package let sumExamples: [String]

    package init() {
        volumeMin = Alarm.Limits.volumeThatWakes
        rampSeconds = LimitReport(Alarm.Limits.rampSeconds)
        ringSeconds = LimitReport(Alarm.Limits.ringSeconds)
        snoozeSeconds = LimitReport(Alarm.Limits.snoozeSeconds)
        snoozes = LimitReport(Alarm.Limits.snoozes)
        lateSeconds = LimitReport(Alarm.Limits.lateWindowSeconds)
        earlySeconds = LimitReport(Alarm.Limits.earlySeconds)
        challenges = LimitReport(0...Challenge.Limits.perAlarm)
        sumLevel = LimitReport(Challenge.Limits.sumLevel)
        sumCount = LimitReport(Challenge.Limits.sumCount)
        sumSeconds = LimitReport(Challenge.Limits.sumSeconds)
        steps = LimitReport(Challenge.Limits.stepCount)
        patternLength = LimitReport(Challenge.Limits.patternLength)
        codeSizePercentMin = CameraViewReport.codeSizePercentMin
        sharpnessMin = CameraViewReport.sharpnessMin
        sumExamples = Challenge.Limits.sumLevel.map { Sum.example(level: $0) }
    }
}
