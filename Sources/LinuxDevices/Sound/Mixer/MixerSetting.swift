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

    /// Raises it as far as it goes, and only then writes down how it was: whoever is to be woken waits for no disk. A crash
    /// between the two leaves it loud, and a ring that nobody hears would be worse.
    func raise(complain: (MixerError) -> Void) throws(MixerError) -> RaisedMixer {
        let mixer = try Mixer(device, configuration)
        let now = mixer.levels()
        do throws(MixerError) {
            try mixer.raise(to: decibels)
        } catch {
            // A part of it may be raised: that is heard, and has to be put back.
            complain(error)
        }
        let before = remembered() ?? now
        memory?.hold(before, of: card)
        do throws(MixerError) {
            try memory?.remember(before, of: card)
        } catch {
            complain(error)
        }
        return RaisedMixer(setting: self, before: before)
    }

    /// How it was before a crash, if that can be told.
    private func remembered() -> MixerLevels? {
        do throws(MixerError) {
            return try forgotten()
        } catch {
            // Nobody can say any more. A ring that stayed soft because of that would be worse.
            return nil
        }
    }

    /// How it was before a crash has left it as it is; nothing where none has.
    func forgotten() throws(MixerError) -> MixerLevels? { try memory?.levels(of: card) }

    /// Puts it back.
    func restore(_ before: MixerLevels) throws(MixerError) {
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
            try setting.restore(before)
        } catch {
            complain("\(setting.card): the mixer is not as it was before the ring: \(error)")
        }
    }
}
