// A night boiled down to a number, by which two runs of it are compared.

import Engine

/// A checksum (FNV-1a) of everything that was wanted, and when.
struct Trace {
    private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func add(_ effect: Effect, at milliseconds: Int) {
        add(milliseconds)
        switch effect {
        case .keep(let entries, _):
            for entry in entries {
                add(entry.millisecondsSince1970)
                for byte in entry.fact.payload { add(Int(byte)) }
            }
        case .sound(let order): add(order?.rampStartUptime ?? -1)
        case .wake(let wake):
            add(wake.wallMilliseconds ?? -1)
            add(wake.uptimeMilliseconds ?? -1)
        case .camera(let order): add(order == nil ? 2 : 3)
        case .lamp(let order): add(order == nil ? 6 : 7)
        case .reply(let reply, _): if case .refused = reply { add(4) } else { add(5) }
        case .tell, .notify, .preflight, .statusChanged: break
        }
    }

    private mutating func add(_ number: Int) {
        value = (value ^ UInt64(truncatingIfNeeded: number)) &* 0x100_0000_01B3
    }
}
