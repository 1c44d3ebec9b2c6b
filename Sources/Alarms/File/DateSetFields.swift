// Reading and writing sets of dates: single dates and `from/until`, both included.

import CivilTime
import JSON
import Text

extension Fields {
    package mutating func dateSet(_ name: String) -> DateSet {
        var runs: [ClosedRange<CivilDate>] = []
        for (index, element) in (list(name) ?? []).enumerated() {
            let place = "\(name)[\(index)]"
            guard case .string(let text) = element,
                let ends = Optional(text.split(separator: "/", omittingEmptySubsequences: false)), ends.count <= 2,
                let first = ends.first.flatMap({ CivilDate(String($0)) }),
                let last = ends.last.flatMap({ CivilDate(String($0)) })
            else {
                note(
                    place, "\(element.shown) is not a date such as \"2026-01-15\" or a range \"2026-02-01/2026-02-08\"")
                continue
            }
            guard first <= last else {
                note(place, "\(text.quoted) ends before it begins")
                continue
            }
            runs.append(first...last)
        }
        return DateSet(runs)
    }
}

extension DateSet {
    var json: JSON {
        .array(
            runs.map { run in
                .string(run.lowerBound == run.upperBound ? "\(run.lowerBound)" : "\(run.lowerBound)/\(run.upperBound)")
            })
    }
}
