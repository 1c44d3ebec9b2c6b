// The lights and flashes of the lamp at the bed.

import Devices
import Engine
import Sound

extension StatusLight {
    /// The light for this status. At rest it is steady, because blinking would wake the machine.
    var light: LampLight {
        switch self {
        case .dark: .off
        case .armed: .on
        case .ringing: .blinking(PulsePattern([250, 250]) ?? .standard)
        case .asked: .blinking(PulsePattern([100, 100, 100, 700]) ?? .standard)
        case .held: .blinking(PulsePattern([200, 800]) ?? .standard)
        case .heldLonger: .blinking(PulsePattern([150, 350]) ?? .standard)
        case .heldLongest: .blinking(PulsePattern([60, 120]) ?? .standard)
        case .snoozed: .blinking(PulsePattern([1000, 1000]) ?? .standard)
        case .checking: .blinking(PulsePattern([500, 500]) ?? .standard)
        case .pairing: .blinking(PulsePattern([150, 150, 150, 550]) ?? .standard)
        case .notReady: .blinking(PulsePattern([50, 1950]) ?? .standard)
        }
    }
}

extension Prompt {
    /// The pulses of a prompt; nil if the lamp's light already shows it. In a pattern, a short pulse means
    /// snooze and a long one stop.
    var pulses: PulsePattern? {
        switch self {
        case .refused: PulsePattern([80, 80, 80, 80, 80, 400])
        case .wrong: PulsePattern([400, 200, 400, 400])
        case .done, .next(.some), .notice: PulsePattern([1000, 400])
        case .bedtime: PulsePattern([1000, 400, 1000, 400])
        case .inBed: PulsePattern([80, 200, 1000, 400])
        case .next(nil): PulsePattern([80, 80, 80, 400])
        case .challenge(.pattern(let buttons)): PulsePattern(buttons.flatMap { [$0 == .snooze ? 150 : 700, 350] })
        case .challenge, .check, .ended: nil
        }
    }
}
