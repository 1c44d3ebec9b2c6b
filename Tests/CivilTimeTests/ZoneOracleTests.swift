// The tests of every tzdata zone against Python's zoneinfo, in both directions.

import CivilTime
import Oracles
import Testing

@Suite struct ZoneOracleTests {
    @Test func everyZone_agreesWithPythonsZoneinfo() throws {
        let randoms = Thoroughness.pick(40, full: 2500)
        let changesMax = Thoroughness.pick(6, full: 0)
        let lines = try PythonOracle.lines(
            of: "zone_oracle.py", ["1", "\(randoms)", "\(changesMax)"], besides: #filePath)
        var zones = ZoneCatalogue(directory: "/usr/share/zoneinfo")
        var zone = Zone.utc
        var zoneCount = 0
        var comparisons = 0
        var disagreements: [String] = []
        for line in lines {
            let words = line.split(separator: " ")
            if words[0] == "zone" {
                zone = try zones.zone(named: String(words[1]))
                zoneCount += 1
                continue
            }
            let numbers = try words.dropFirst().map { try #require(Int($0)) }
            comparisons += 1
            if words[0] == "i" {
                let ours = zone.stretch(at: Instant(secondsSince1970: numbers[0])).offsetSeconds
                if ours != numbers[1] { disagreements.append("\(zone.name) \(line): ours \(ours)") }
            } else {
                let local = CivilDateTime(instantInUTC: numbers[0])
                let ours = zone.instants(of: local)
                if !ours.agrees(readBefore: numbers[1], readAfter: numbers[2]) {
                    disagreements.append("\(zone.name) \(line): ours \(ours)")
                }
            }
        }
        print("\(comparisons) comparisons of \(zoneCount) zones with Python's zoneinfo")
        #expect(zoneCount > 300)
        #expect(comparisons > 10_000)
        #expect(disagreements.isEmpty, "\(disagreements.count), the first: \(disagreements.prefix(10))")
    }
}

extension CivilDateTime {
    /// The local time in UTC.
    fileprivate init(instantInUTC seconds: Int) {
        self = Zone.utc.local(Instant(secondsSince1970: seconds))
    }
}

extension LocalInstants {
    /// Python does not name gaps and folds. It returns the instants by the offsets around a change.
    fileprivate func agrees(readBefore: Int, readAfter: Int) -> Bool {
        switch self {
        case .once(let instant):
            instant.secondsSince1970 == readBefore && readBefore == readAfter
        case .twice(let first, let second):
            first.secondsSince1970 == readBefore && second.secondsSince1970 == readAfter && readBefore < readAfter
        case .never(let gap):
            gap.readWithOffsetBefore.secondsSince1970 == readBefore && readBefore > readAfter
        }
    }
}
