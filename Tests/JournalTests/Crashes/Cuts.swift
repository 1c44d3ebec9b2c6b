// Which of the ways that a power cut can go are tried.

import Oracles
import SimulatedDevices

/// A bounded list of what may become of the unsynced parts at one instant.
struct Cuts {
    /// All subsets are tried of at most so many parts; of more, those that are listed in `subsets`.
    var partsMax = 5
    /// Torn parts are tried at every so many bytes, and at the first and the last, and garbled ones; when it is nil, nothing
    /// tears and nothing is garbled.
    var tearBytes: Int? = 1
    /// How many more subsets are drawn by lot where there are many parts.
    var drawn = 8
    /// Whether there are, where there are many parts, also subsets of one of them, or of all but one.
    var singles = true

    static let few = Cuts(partsMax: 2, tearBytes: nil, drawn: 0)
    /// As a disk does that writes everything in order, or starts with the last.
    static let inOrder = Cuts(partsMax: 1, tearBytes: nil, drawn: 0, singles: false)

    func fates(_ parts: [UnsyncedPart]) -> [[PartFate]] {
        subsets(parts.count).map { $0.map { $0 ? .kept : .dropped } } + tears(parts)
    }

    /// Everything dropped; everything kept; kept up to a part, and from a part on; one part kept, one dropped; some drawn.
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

    /// Each part torn, or garbled: with all others kept, with those before it kept, with all others dropped.
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
