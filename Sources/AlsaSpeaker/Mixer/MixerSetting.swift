// Raises a card's mixer for a ring, and puts it back.

import CAlsa
import Glibc

struct MixerSetting: Sendable {
    /// ALSA's name of the mixer.
    let device: String
    /// What it goes by in the memory.
    let card: String
    let configuration: AlsaConfiguration?
    let decibels: Double

    /// Raises it as far as it goes, before it is written down how it was: a ring that waits for a disk would be worse.
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

/// Why a mixer is not as it should be. A ring goes on without.
package enum MixerError: Error, Hashable, Sendable {
    case alsa(String, errorNumber: Int32)
    /// Nothing in it is known to make playback louder, though something may.
    case noElement
    /// How it was before could not be written down: it is put back after the ring, but not after a crash.
    case notRemembered(path: String, errorNumber: Int32)
    /// It is as its owner left it, and the next start will find written down how it was before the ring.
    case notForgotten(path: String, errorNumber: Int32)
    case unreadable(path: String)
}

extension MixerError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .alsa(let doing, let number): "cannot \(doing) the mixer: \(String(cString: snd_strerror(-number)))"
        case .noElement: "its mixer has nothing that is known to make playback louder"
        case .notRemembered(let path, let number):
            "after a power cut in the ring the mixer would stay loud, because \(path) cannot be written: "
                + String(cString: strerror(number))
        case .notForgotten(let path, let number):
            "the next start will set the mixer as it was before the ring, because \(path) cannot be removed: "
                + String(cString: strerror(number))
        case .unreadable(let path): "\(path) does not say how the mixer was before"
        }
    }
}
