// The encoding of health in the journal: each cause with its details.

import Alarms
import Engine
import JSON

extension Health: ObjectCoded {
    package var members: [JSON.Member] {
        // A health with at most one described cause keeps the form that older versions wrote.
        if causes.count < 2, causes.first.map({ $0.code == .described }) ?? true {
            return [.init("grade", grade.rawValue), .init("words", causes.first?.reasons?.first ?? "")]
        }
        return [.init("grade", grade.rawValue), .init("causes", causes.map { JSON(encoding: $0) })]
    }

    package init?(reading fields: inout Fields) {
        guard let grade: Grade = fields.choice("grade") else { return nil }
        let words = fields.value("words") ?? ""
        let causes = (fields.value("causes") ?? []).map { (json: JSON) in
            do throws(JSONMismatch) {
                return try json.decoded(as: Cause.self)
            } catch {
                // A newer version wrote this cause.
                return .described(grade, "\(json)")
            }
        }
        self.init()
        self.causes = causes.isEmpty && (grade != .ok || !words.isEmpty) ? [.described(grade, words)] : causes
    }
}
