// Trying out what ringing needs: how each part is, in words that say what to do.

import Engine

/// A preflight while it is being done, and who waits for it.
struct PreflightRun {
    /// Which of all: what answers only after the end of one does not answer the next.
    var number = 0
    var isRunning = false
    var waiting: [@Sendable (isolated Service) -> Void] = []
    /// How the disk is, when it has answered.
    var disk: Health?
    /// What is wrong with the sounds of alarms, when the disk that they are on has answered.
    var sounds: [String]?

    var hasAnswers: Bool { disk != nil && sounds != nil }

    /// A card that has not opened after so many looks will not, and a disk that has not answered hangs.
    static let pollsMax = 60
    /// A camera takes longer: its program starts, and its first pictures are black.
    static let cameraPollsMax = 160
    static let pollMilliseconds = 50
}
