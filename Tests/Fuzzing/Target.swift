// The readers that process bytes from outside, each with the code that depends on it.

/// One reader under fuzzing. It accepts any bytes, and its promises must hold.
public enum Target: String, CaseIterable, Sendable {
    /// The alarms file: reads, validates, plans and writes back.
    case alarmsFile = "alarms-file"
    /// A recurrence rule: reads, prints, describes and evaluates it.
    case recurrence
    /// Zone data (TZif): reads it and converts in both directions.
    case zone
    /// A journal's file: recovers it and appends.
    case journal
    /// A packet from the camera helper.
    case helperMessage = "helper-message"
    /// A picture file, and the codes in it.
    case picture
    /// A line of the control socket, as a request and as a response.
    case request
    /// The request line and headers of an HTTP request.
    case httpRequest = "http-request"

    /// Passes the bytes to the reader and checks its promises.
    public func run(_ bytes: [UInt8]) throws(BrokenPromise) {
        switch self {
        case .alarmsFile: try fuzzAlarmsFile(bytes)
        case .recurrence: try fuzzRecurrence(bytes)
        case .zone: try fuzzZone(bytes)
        case .journal: try fuzzJournal(bytes)
        case .helperMessage: try fuzzHelperMessage(bytes)
        case .picture: try fuzzPicture(bytes)
        case .request: try fuzzRequest(bytes)
        case .httpRequest: try fuzzHTTPRequest(bytes)
        }
    }
}
