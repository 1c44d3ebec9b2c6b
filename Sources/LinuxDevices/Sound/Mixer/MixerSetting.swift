// Raises a card's mixer for a ring, and puts it back.

/// How a card's mixer is to be while it rings.
struct MixerSetting: Sendable {
    /// ALSA's name of the mixer.
    let device: String
    /// What it goes by in the memory.
    let card: String
    let configuration: AlsaConfiguration?
    let decibels: Double
    /// Without one, nothing survives a crash.
    let memory: MixerMemory?

    /// Raises it, once it is written down how it was.
    func raise() throws(MixerError) -> RaisedMixer {
        let mixer = try Mixer(device, configuration)
        let before = try memory?.levels(of: card) ?? mixer.levels()
        try memory?.remember(mixer.levels(), of: card)
        try mixer.raise(to: decibels)
        return RaisedMixer(setting: self, before: before)
    }

    /// Puts it back after a crash, if it is remembered how it was.
    func restoreForgotten() throws(MixerError) {
        guard let before = try memory?.levels(of: card) else { return }
        try Mixer(device, configuration).set(before)
        memory?.forget(card)
    }
}

/// A mixer that is not as its owner left it.
struct RaisedMixer {
    let setting: MixerSetting
    let before: MixerLevels

    /// Puts it back. Where that does not go, a card that was pulled out for one, it stays remembered.
    func restore(complain: (String) -> Void) {
        do throws(MixerError) {
            try Mixer(setting.device, setting.configuration).set(before)
            setting.memory?.forget(setting.card)
        } catch {
            complain("\(setting.card): the mixer is not as it was before the ring: \(error)")
        }
    }
}
