// A change to the challenges of an alarm: what is not named stays as it is.

import Alarms
import JSON

enum ChallengeChange: Hashable {
    /// The challenge of that kind says this; where there is none, it comes behind the others.
    case set(Challenge.Kind, JSON.Member)
    case remove(Challenge.Kind)
    case removeAll

    func apply(to list: inout [JSON]) {
        switch self {
        case .removeAll: list = []
        case .remove(let kind): list.removeAll { $0.member("kind") == .string(kind.rawValue) }
        case .set(let kind, let member):
            let name = JSON.string(kind.rawValue)
            guard let index = list.firstIndex(where: { $0.member("kind") == name }) else {
                list.append(.object([.init("kind", name), member]))
                return
            }
            list[index] = list[index].patched(with: .object([member]))
        }
    }
}
