// The requests of the API, each with one row in the table.

import Clients
import Engine
import JSON

/// A request. Its stored properties are the fields that a client sends.
package protocol Request: Codable, Sendable {
    associatedtype Response: Codable & Sendable = EmptyResponse
    /// The request's row in the table.
    static var spec: RequestSpec { get }
}

/// A response without members. It only says that the request succeeded.
package struct EmptyResponse: Codable, Hashable, Sendable {
    package init() {}
}

/// A row of the table: a request's name, HTTP method and path, summary, fields and conditions.
package struct RequestSpec: Sendable {
    package enum Method: String, Sendable {
        case get = "GET", post = "POST", put = "PUT", patch = "PATCH", delete = "DELETE"
    }

    /// A condition that a client may attach to a request.
    package enum Condition: String, Sendable { case ifRing, ifRevision }

    package let name: String
    /// The method and the path over HTTP. A word in braces stands for the field of that name.
    package let method: Method
    package let path: String
    /// True if the request changes the state or uses a device. A client may repeat any other freely.
    package let changes: Bool
    /// The right that a client over HTTP needs; nil for a request that needs no token.
    package let may: Permission?
    /// The media types of the response over HTTP: its body is the content of the member `mediaMember`. Empty for
    /// JSON.
    package let media: [String]
    package let summary: String
    package let fieldDescriptions: [String: String]
    /// The conditions that the request supports. Any other condition is an error.
    package let conditions: [Condition]

    init(
        _ name: String, _ method: Method, _ path: String, changes: Bool, may: Permission?, media: [String] = [],
        _ summary: String, fields: [String: String] = [:], if conditions: [Condition] = []
    ) {
        self.name = name
        self.method = method
        self.path = path
        self.changes = changes
        self.may = may
        self.media = media
        self.summary = summary
        self.conditions = conditions
        fieldDescriptions = fields
    }
}

extension Request {
    package static var fields: [Schema.Field] { Schema(of: Self.self).fields }
    package static var response: Schema { Schema(of: Response.self) }
}

extension RequestSpec {
    package static let all: [any Request.Type] = [
        GetStatus.self, Follow.self, Doctor.self, TrySpeakers.self, ListSounds.self, GetSound.self, AddSound.self,
        RemoveSound.self, GetCapabilities.self,
        GetSettings.self, Configure.self, ResetSettings.self, ListCalendars.self, SaveCalendar.self,
        DeleteCalendar.self, GetHistory.self, ClearHistory.self, GoToBed.self, ExportAll.self, ImportFile.self,
        GetBedside.self, SimulateBedside.self,
        ListAlarms.self, ShowAlarm.self, AddAlarm.self, SaveAlarm.self, EditAlarm.self, EnableAlarm.self,
        DeleteAlarm.self, SkipRing.self, UnskipRings.self, PauseAlarm.self, PostponeRing.self, MarkDone.self,
        PlanRings.self,
        ValidateAlarm.self,
        Snooze.self, Stop.self, Awake.self, AnswerSum.self, Unlock.self, Emergency.self, TestRing.self,
        ListCodes.self, EnrolCode.self, TestCode.self, CancelScan.self, ForgetCode.self, PreviewCamera.self,
        GetCameraPicture.self,
        PrintCode.self, MakeCodeSheet.self,
        Hello.self, ListClients.self, ForgetClient.self, AddToken.self,
        Invite.self, ClaimInvitation.self, Pair.self, GetPairing.self,
    ]

    /// The request types by name. Their fields are derived on demand, because all fields would take a
    /// megabyte.
    static let typesByName = Dictionary(uniqueKeysWithValues: all.map { ($0.spec.name, $0) })
}
