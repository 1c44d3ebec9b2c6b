// Events of the service as server-sent events.

import API
import HTTP
import JSON

extension ServerSentEvent {
    /// Creates the event of a line that the service sends to its followers; nil for a line that is none. Only
    /// records have an id, so that Last-Event-ID is a position among them.
    package init?(following line: ArraySlice<UInt8>) {
        guard let json = try? JSON(parsing: Array(line)), case .bool(true)? = json.member("ok"),
            let member = json.members.first(where: { $0.name != "ok" && $0.value != .null })
        else { return nil }
        var id: String?
        if case .number(let sequence)? = member.value.member("sequence") { id = sequence }
        self.init(member.name, data: member.value.description, id: member.name == "record" ? id : nil)
    }

    /// Creates the first event of a stream from the response to a request for the status; nil for a refusal.
    package init?(status line: ArraySlice<UInt8>, retryMilliseconds: Int) {
        guard let json = try? JSON(parsing: Array(line)), case .bool(true)? = json.member("ok"),
            let status = json.member("status")
        else { return nil }
        self.init("status", data: status.description, retryMilliseconds: retryMilliseconds)
    }

    /// True if a later event of this kind replaces it.
    package var isReplaceable: Bool { event == "level" }
}
