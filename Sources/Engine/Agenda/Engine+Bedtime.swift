// The reminder of a bedtime, and the hours in bed beside each morning.

import Agenda
import Alarms
import CivilTime

extension Engine {
    /// The chime of a bedtime, while nothing rings or is snoozed.
    @inline(__always)  // A call from where the engine changes would copy all of it.
    var chimeOrder: SoundOrder? {
        sessions.isEmpty
            ? chime.flatMap { $0.rampStartUptime + RingSettings.chimeMilliseconds > clock.uptime ? $0 : nil } : nil
    }

    @inline(__always)
    var bedtimeDeadline: Deadline {
        guard sessions.isEmpty else { return .never }
        return .wall(agenda.bedtime.next?.milliseconds)
            .orEarlier(.uptime(chimeOrder.map { $0.rampStartUptime + RingSettings.chimeMilliseconds }))
    }

    /// Reminds the owner of a bedtime that has come. While anything rings or is snoozed, it waits. An owner
    /// who is in bed must not be woken.
    mutating func remindOfBedtime() {
        guard sessions.isEmpty, let at = agenda.bedtime.next, at <= clock.instant else { return }
        guard clock.instant.seconds(since: at) <= Bedtime.lateSecondsMax else { return agenda.planBedtime() }
        record(.bedtimeGiven(at))
        guard sessions.inBed(at: clock.now) == nil else { return }
        effects.append(.prompt(.bedtime(at)))
        guard agenda.settings.bedtimeChime == true else { return }
        chime = SoundOrder(
            occurrence: Occurrence(alarm: "", at: at), ring: .chime(), rampStartUptime: clock.uptime)
    }

    /// The owner goes to bed. Broken parts are reported while the owner can repair them.
    mutating func goToBed(_ context: CommandContext) {
        guard sessions.isEmpty else { return reply(.refused(.ringing), to: context) }
        record(.inBed(atMilliseconds: clock.now, by: context.sender))
        effects.append(.prompt(.inBed))
        effects.append(.preflight)
        if context.request != nil { reply(.done(.done), to: context, ifFailed: .done(.unwritten(.done))) }
    }
}

extension Sessions {
    /// A shorter time in bed was a nap, and after a longer one the owner has forgotten to say it again.
    private static let nightMilliseconds = 3 * 3_600_000...16 * 3_600_000

    /// Returns the mark of the night that ends with a ring at this time; nil if there is none.
    func bedtime(before milliseconds: Int) -> Int? {
        inBedMilliseconds.flatMap { Sessions.nightMilliseconds ~= milliseconds - $0 ? $0 : nil }
    }

    /// Returns the time since which the owner is in bed; nil if the owner has not said so, or long ago.
    func inBed(at milliseconds: Int) -> Int? {
        inBedMilliseconds.flatMap { 0...Sessions.nightMilliseconds.upperBound ~= milliseconds - $0 ? $0 : nil }
    }
}
