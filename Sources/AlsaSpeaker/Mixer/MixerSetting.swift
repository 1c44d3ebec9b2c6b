// The change of a card's mixer for a ring, and its restoration.

import CAlsa
import Glibc

struct MixerSetting: Sendable {
    /// ALSA's name of the mixer.
    let device: String
    /// The key in the memory.
    let card: String
    let configuration: AlsaConfiguration?
    let decibels: Double

    /// Raises the mixer. Does not wait until its previous levels are saved: no disk may delay a ring.
    func raise(_ memory: MixerMemory) throws(MixerError) {
        let mixer = try Mixer(device, configuration)
        memory.remember(mixer.levels(), of: card)
        try mixer.raise(to: decibels)
    }

    /// Restores the mixer. Elements that cannot be restored stay recorded; the others are the owner's again.
    func restore(_ memory: MixerMemory) throws(MixerError) {
        guard let before = memory.levels(of: card) else { return }
        let failed = try Mixer(device, configuration).set(before)
        memory.forget(before, but: failed.levels, of: card)
        if let error = failed.error { throw error }
    }
}

/// The reason why a mixer is not set as it should be. The ring continues.
package enum MixerError: Error, Hashable, Sendable {
    case alsa(String, errorNumber: Int32)
    /// The mixer has elements for playback, but none whose name is known to control the volume.
    case noElement
    /// The previous levels could not be saved: they are restored after the ring, but not after a crash.
    case notRemembered(path: String, errorNumber: Int32)
    /// The mixer is restored but its file remains, so the next start will restore those levels again.
    case notForgotten(path: String, errorNumber: Int32)
    case unreadable(path: String)
}

extension MixerError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .alsa(let doing, let number): "cannot \(doing) it: \(String(cString: snd_strerror(-number)))"
        case .noElement: "it has no volume control that Rooster knows"
        case .notRemembered(let path, let number):
            "A power cut during the ring would leave the mixer loud: cannot write \(path) "
                + "(\(String(cString: strerror(number))))"
        case .notForgotten(let path, let number):
            "The next start will set the mixer back once more: cannot remove \(path) "
                + "(\(String(cString: strerror(number))))"
        case .unreadable(let path): "A mixer may still have the volume of a ring: \(path) is damaged"
        }
    }
}
