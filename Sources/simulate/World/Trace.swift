// A night boiled down to a number, by which two runs of it are compared.

import Alarms
import Engine
import Journal

/// A checksum (FNV-1a) of everything that was wanted, and when.
struct Trace {
    private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func add(_ effect: Effect, at milliseconds: Int) {
        add(milliseconds)
        switch effect {
        case .keep(let entries, _): add(entries.count)
        case .sound(let order):
            add(order?.rampStartUptime ?? -1)
            if let order {
                add(order.occurrence)
                add(order.ring.sound)
                add(Int(truncatingIfNeeded: order.ring.volume.bitPattern))
                add(order.ring.rampSeconds)
            }
        case .wake(let wake):
            add(wake.wallMilliseconds ?? -1)
            add(wake.uptimeMilliseconds ?? -1)
        case .readySpeaker(let sound): add(sound ?? "")
        case .camera(let isOn): add(isOn ? 3 : 2)
        case .lamp(let isOn): add(isOn ? 7 : 6)
        case .reply(let reply, let request):
            add(request.id)
            if case .refused(let refusal) = reply { add("\(refusal)") } else { add(5) }
        case .tell(.refused(let refusal)): add("\(refusal)")
        case .tell: add(8)
        case .notify(.missed(let occurrence, _)), .notify(.ended(let occurrence, _)): add(occurrence)
        case .notify(.broken(let part, _)): add(part.rawValue)
        case .preflight: add(9)
        case .statusChanged: break
        }
    }

    mutating func add(_ records: [NewRecord]) {
        for record in records {
            add(Int(record.kind.rawValue))
            add(Int(record.millisecondsSince1970))
            for byte in record.payload { add(Int(byte)) }
        }
    }

    private mutating func add(_ occurrence: Occurrence) {
        add(occurrence.alarm)
        add(occurrence.at.secondsSince1970)
    }

    private mutating func add(_ text: String) {
        for byte in text.utf8 { add(Int(byte)) }
    }

    private mutating func add(_ number: Int) {
        value = (value ^ UInt64(truncatingIfNeeded: number)) &* 0x100_0000_01B3
    }
}
