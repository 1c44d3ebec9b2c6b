// Raises a card's mixer for a ring, and puts it back.

import Glibc

struct MixerSetting: Sendable {
    /// ALSA's name of the mixer.
    let device: String
    /// What it goes by in the memory.
    let card: String
    let configuration: AlsaConfiguration?
    let decibels: Double

    /// Raises it as far as it goes. A crash before it is written down how it was leaves it loud: a ring that waits for a disk
    /// would be worse.
    func raise(_ memory: MixerMemory) throws(MixerError) {
        let mixer = try Mixer(device, configuration)
        memory.remember(mixer.levels(), of: card)
        try mixer.raise(to: decibels)
    }

    /// Puts it back. What cannot be put back now stays remembered, and no more than that: the rest is its owner's again.
    func restore(_ memory: MixerMemory) throws(MixerError) {
        guard let before = memory.levels(of: card) else { return }
        let failed = try Mixer(device, configuration).set(before)
        memory.forget(before, but: failed.levels, of: card)
        if let error = failed.error { throw error }
    }
}
