// The numbers and names of facts in the journal and the log.

import Engine

/// The kind of a fact: its number in the journal, which is also the version of its form. A number is never
/// reused. Members may be added, but none changes its meaning. Any other change needs a new number.
package enum FactKind: UInt16, Hashable, Sendable, CaseIterable {
    case alarmSaved = 1
    case alarmDeleted = 2
    case settingsSaved = 3
    case calendarSaved = 4
    case calendarDeleted = 5
    case codeEnrolled = 6
    case codeForgotten = 7
    case planned = 8
    case fired = 9
    case audioStarted = 10
    case audioFailed = 11
    case scanRefused = 12
    case challengeDone = 13
    case snoozed = 14
    case rested = 15
    case stopRefused = 16
    case dismissed = 17
    case unanswered = 18
    case emergency = 19
    case cancelled = 20
    case missed = 21
    case resumed = 22
    case clockStepped = 23
    case clockTrusted = 24
    case zoneChanged = 25
    case healthChanged = 26
    case pastKept = 28
    case lockBegan = 29
    case planMoved = 30
    case alarmKept = 31
    case sumSolved = 32
    case lockedOut = 33
    case codeKeyAdded = 34
    case snoozeTakenBack = 35
    case partRemoved = 36
    case noted = 39
    case eventKept = 40
    case historyCleared = 41
    case noticeGiven = 45
    case postponed = 46
    case postponementEnded = 47
    case done = 48
    case shakerStarted = 49
    case checkBegan = 50
    case checkFailed = 52
    case inBed = 55
    case bedtimeGiven = 56
    case clientAdded = 57
    case clientForgotten = 58
    case clientSeen = 59

    /// The name that people read, as in `alarm_saved`.
    package var name: String {
        "\(self)".reduce(into: "") { name, character in
            name += character.isUppercase ? "_\(character.lowercased())" : "\(character)"
        }
    }
}

extension Ending {
    var kind: FactKind {
        switch self {
        case .dismissed: .dismissed
        case .unanswered: .unanswered
        case .emergency: .emergency
        case .cancelled: .cancelled
        case .missed: .missed
        // These facts have more than the ending.
        case .postponed: .postponed
        case .done: .done
        }
    }
}
