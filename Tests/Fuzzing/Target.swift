// The readers that strangers' bytes reach, each with what stands on it.

/// One reader under fuzzing: any bytes may go in, and what is promised must hold.
public enum Target: String, CaseIterable, Sendable {
    /// The alarms file, read, judged, planned and written back.
    case alarmsFile = "alarms-file"
    /// A recurrence rule, read, printed, put in words and asked for its dates.
    case recurrence
    /// Zone data (TZif), read and asked in both directions.
    case zone
    /// A journal's file, recovered and gone on with.
    case journal
    /// A packet from the program that reads the camera.
    case helperMessage = "helper-message"
    /// A picture file, and the codes in it.
    case picture
    /// A line of the control socket, as a request and as an answer.
    case request

    /// Reads the bytes and holds the reader to its promises.
    public func run(_ bytes: [UInt8]) throws(BrokenPromise) {
        switch self {
        case .alarmsFile: try fuzzAlarmsFile(bytes)
        case .recurrence: try fuzzRecurrence(bytes)
        case .zone: try fuzzZone(bytes)
        case .journal: try fuzzJournal(bytes)
        case .helperMessage: try fuzzHelperMessage(bytes)
        case .picture: try fuzzPicture(bytes)
        case .request: try fuzzRequest(bytes)
        }
    }
}
