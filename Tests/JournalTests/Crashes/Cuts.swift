// The choice of power cuts that a check tries.

import Oracles
import SimulatedDevices

/// A bounded list of possible fates of the unsynced parts at one instant.
struct Cuts {
    /// The greatest number of parts for which all subsets are tried. For more parts, `subsets` lists some.
    var partsMax = 5
    /// The distance between tried tears within a part. The first byte, the last and garbled parts are also
    /// tried. If nil, no part is torn or garbled.
    var tearBytes: Int? = 1
    /// The number of additional random subsets if there are many parts.
    var drawn = 8
    /// True if, with many parts, subsets of one part and of all but one are also tried.
    var singles = true

    static let few = Cuts(partsMax: 2, tearBytes: nil, drawn: 0)
    /// The cuts of a disk that writes in order, or in reverse order.
    static let inOrder = Cuts(partsMax: 1, tearBytes: nil, drawn: 0, singles: false)

    func fates(_ parts: [UnsyncedPart]) -> [[PartFate]] {
        subsets(parts.count).map { $0.map { $0 ? .kept : .dropped } } + tears(parts)
    }

    /// Returns all dropped; all kept; kept up to a part, or from a part on; one part kept or dropped; and
    /// some random ones.
    private func subsets(_ count: Int) -> [[Bool]] {
        guard count > partsMax else {
            return (0..<1 << count).map { bits in (0..<count).map { bits >> $0 & 1 == 1 } }
        }
        let all = 0..<count
        var subsets = [all.map { _ in false }, all.map { _ in true }]
        for part in all {
            subsets.append(all.map { $0 < part })
            subsets.append(all.map { $0 >= part })
            guard singles else { continue }
            subsets.append(all.map { $0 == part })
            subsets.append(all.map { $0 != part })
        }
        var random = SeededRandom(seed: UInt64(count))
        for _ in 0..<drawn { subsets.append(all.map { _ in Bool.random(using: &random) }) }
        return subsets
    }

    /// Returns each part torn or garbled, with all others kept, only the earlier ones kept, or none kept.
    private func tears(_ parts: [UnsyncedPart]) -> [[PartFate]] {
        guard let tearBytes else { return [] }
        return parts.indices.filter { parts[$0].byteCount > 0 }.flatMap { torn -> [[PartFate]] in
            let last = parts[torn].byteCount - 1
            let places = Set(stride(from: 1, to: last, by: tearBytes)).union([last]).filter { $0 > 0 }
            let fates = places.sorted().map { PartFate.torn(byteCount: $0) } + [.garbled]
            return fates.flatMap { fate -> [[PartFate]] in
                let isKept: [(Int) -> Bool] = [{ _ in true }, { $0 < torn }, { _ in false }]
                return isKept.map { isKept in
                    parts.indices.map { $0 == torn ? fate : isKept($0) ? .kept : .dropped }
                }
            }
        }
    }
}
