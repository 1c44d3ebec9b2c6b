// Health as the journal has it: each cause with its details.

import Alarms
import Engine
import JSON

extension Health {
    var members: [JSON.Member] {
        // The form that older versions wrote is kept.
        if causes.count < 2, causes.first.map({ $0.code == .described }) ?? true {
            return [
                .init("grade", .string(grade.rawValue)), .init("words", .string(causes.first?.reasons?.first ?? "")),
            ]
        }
        return [
            .init("grade", .string(grade.rawValue)), .init("causes", .array(causes.map { JSON(encoding: $0) })),
        ]
    }

    init?(reading fields: inout Fields) {
        guard let grade = fields.text("grade").flatMap(Grade.init) else { return nil }
        let words = fields.text("words") ?? ""
        let causes = (fields.list("causes") ?? []).map { json in
            do throws(JSONMismatch) {
                return try json.decoded(as: Cause.self)
            } catch {
                // A newer version has written this cause.
                return .described(grade, "\(json)")
            }
        }
        self.init()
        self.causes = causes.isEmpty && (grade != .ok || !words.isEmpty) ? [.described(grade, words)] : causes
    }
}
