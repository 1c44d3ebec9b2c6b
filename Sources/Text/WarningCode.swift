// The codes of warnings, by which a program chooses its own words or its advice.

/// The code of a warning about a change that was accepted.
package enum WarningCode: String, Choice {
    /// A field is unknown, and its name is nearly that of another.
    case unknownField
    /// No alarm sounds as it should: no speaker works, the sound cannot be played, or the volume is low.
    case noSpeaker, noSound, quiet
    /// A device that a challenge or an early ring needs does not work now, or is not configured.
    case brokenPart
    /// A challenge names codes or tags that are not enrolled; only one code can stop the alarm; the alarm
    /// is off because a challenge cannot be done.
    case notEnrolled, onlyCode, staysOff
    /// The settings change the length of a snooze.
    case snoozeLimited
    /// Another alarm has the same label.
    case sameLabel
    /// A date has its own time, and a skip, a pause or the calendar leaves that date out.
    case ownTimeOnDayOff
    /// The alarm is on and has no day left to ring on.
    case noRing
    /// A new schedule, or the switch, drops a ring that was put off.
    case postponementEnded
    /// A file names a zone or a calendar that does not exist.
    case noZone, noCalendar
    /// An import replaces a calendar, or leaves out settings or codes; a backup removes things that its
    /// file lacks.
    case calendarReplaced, settingsNotImported, codesNotImported, removed
    /// An alarm names a code that was forgotten; a printed code could not be enrolled.
    case codeForgotten, noCamera
    /// The change took effect and is not saved yet.
    case notSaved
}
