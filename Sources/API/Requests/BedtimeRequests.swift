// The request at bedtime, and the report of bedtime and night.

import CivilTime
import Engine

package struct GoToBed: Request {
    package init() {}

    package static let spec = RequestSpec(
        "inBed", .post, "/in-bed", changes: true, may: .use,
        "Records that the owner goes to bed, and tests all parts, as the snooze button held at rest does")
}

package struct BedtimeReport: Codable, Hashable, Sendable {
    /// The next bedtime; missing if none is set.
    package let next: Timestamp?
    /// The next bedtime as local time.
    package let nextLocal: LocalTime?
    /// The instant since which the owner is in bed; missing if the owner has not said so.
    package let inBed: Timestamp?
    /// The same instant as local time.
    package let inBedLocal: LocalTime?

    /// Returns nil if there is neither a bedtime nor an owner in bed.
    init?(_ status: Status, in engine: Engine) {
        guard status.bedtime != nil || status.inBedMilliseconds != nil else { return nil }
        next = status.bedtime.map { Timestamp($0) }
        nextLocal = status.bedtime.map { LocalTime($0, in: engine.zone) }
        inBed = status.inBedMilliseconds.map { Timestamp(milliseconds: $0) }
        inBedLocal = inBed.map { LocalTime($0.instant, in: engine.zone) }
    }
}
