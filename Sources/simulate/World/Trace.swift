// What is kept of a run: a checksum by which two runs are compared.

import Alarms
import Engine
import Journal

/// A checksum (FNV-1a) of everything that was wanted, and when.
struct Trace {
    private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func add(_ effect: Effect, at milliseconds: Int) {
        add(milliseconds)
        switch effect {
        case .sound(let order): if let order { add("\(order.occurrence) \(order.ring.sound) \(order.rampStartUptime)") }
        case .wake(let wake): add(wake.wallMilliseconds ?? wake.uptimeMilliseconds ?? -1)
        case .reply(let reply, let request): if case .refused(let refusal) = reply { add("\(request.id) \(refusal)") }
        // That there was one, and when, says enough of the others; the records say the rest.
        default: break
        }
    }

    mutating func add(_ records: [NewRecord]) {
        for record in records {
            add(Int(record.kind.rawValue))
            add(Int(record.millisecondsSince1970))
            for byte in record.payload { add(Int(byte)) }
        }
    }

    private mutating func add(_ text: String) {
        for byte in text.utf8 { add(Int(byte)) }
    }

    private mutating func add(_ number: Int) {
        value = (value ^ UInt64(truncatingIfNeeded: number)) &* 0x100_0000_01B3
    }
}
