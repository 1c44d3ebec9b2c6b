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

    /// Raises it as far as it goes, also where it cannot be written down how it was: a ring that nobody hears is worse than
    /// a mixer that a crash leaves loud.
    func raise(complain: (MixerError) -> Void) throws(MixerError) -> RaisedMixer {
        let mixer = try Mixer(device, configuration)
        let now = mixer.levels()
        let before = remembered() ?? now
        memory?.hold(before, of: card)
        do throws(MixerError) {
            try memory?.remember(before, of: card)
        } catch {
            complain(error)
        }
        do throws(MixerError) {
            try mixer.raise(to: decibels)
        } catch {
            // A part of it may be raised: that is heard, and has to be put back.
            complain(error)
        }
        return RaisedMixer(setting: self, before: before)
    }

    /// How it was before a crash, if that can be told.
    private func remembered() -> MixerLevels? {
        do throws(MixerError) {
            return try memory?.levels(of: card)
        } catch {
            // Nobody can say any more. A ring that stayed soft because of that would be worse.
            return nil
        }
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
