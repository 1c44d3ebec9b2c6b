// The encoding of health in the journal: each cause with its details.

import Alarms
import Engine
import Health
import JSON

extension Health: ObjectCoded {
    package var members: [JSON.Member] {
        [.init("grade", grade.rawValue), .init("causes", causes.map { JSON(encoding: $0) })]
    }

    package init?(reading fields: inout Fields) {
        guard let grade: Grade = fields.choice("grade") else { return nil }
        self.init()
        causes = (fields.value("causes") ?? []).map { (json: JSON) in
            do throws(JSONMismatch) {
                return try json.decoded(as: Cause.self)
            } catch {
                // A newer version wrote this cause.
                return .described(grade, "\(json)")
            }
        }
    }
}
