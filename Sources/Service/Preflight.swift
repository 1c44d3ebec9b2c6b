// The preflight: testing each part that ringing needs.

import Engine

/// A preflight under way, with the callbacks that wait for its end.
struct PreflightRun {
    /// Its number: an answer that comes after its end does not count for the next one.
    var number = 0
    var isRunning = false
    var waiting: [@Sendable (isolated Service) -> Void] = []
    /// The disk's health; nil until it has answered.
    var disk: Health?
    /// Problems with the alarms' sounds; nil until their disk has answered.
    var sounds: [String]?

    var hasAnswers: Bool { disk != nil && sounds != nil }

    /// The timeout of cards and the disk, in polls.
    static let pollsMax = 60
    /// The timeout of the camera, in polls. It is longer: its program starts, and its first pictures are black.
    static let cameraPollsMax = 160
    static let pollMilliseconds = 50
}
