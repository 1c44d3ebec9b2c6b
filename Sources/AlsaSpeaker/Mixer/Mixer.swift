// A card's mixer, and the only owner of ALSA's mixer handle.

import CAlsa
import Glibc

/// An open mixer. It is closed when the object is released.
final class Mixer {
    private let mixer: OpaquePointer

    init(_ device: String, _ configuration: AlsaConfiguration?) throws(MixerError) {
        var handle: OpaquePointer?
        try Mixer.check(snd_mixer_open(&handle, 0), "open")
        guard let handle else { throw .alsa("open", errorNumber: ENOMEM) }
        // From here on deinit closes the handle, also if `init` throws.
        mixer = handle
        try Mixer.attach(device, configuration, to: handle)
        try Mixer.check(snd_mixer_selem_register(handle, nil, nil), "read")
        try Mixer.check(snd_mixer_load(handle), "read")
    }

    deinit {
        snd_mixer_close(mixer)
    }

    /// Attaches a card's control device. A configuration replaces the system's.
    private static func attach(
        _ device: String, _ configuration: AlsaConfiguration?, to mixer: OpaquePointer
    ) throws(MixerError) {
        guard let configuration else { return try check(snd_mixer_attach(mixer, device), "open") }
        var control: OpaquePointer?
        try check(snd_ctl_open_lconf(&control, device, 0, configuration.root), "open")
        var elements: OpaquePointer?
        // On success, each of these calls takes ownership of the handle that it was given.
        let status = snd_hctl_open_ctl(&elements, control)
        guard status >= 0 else {
            snd_ctl_close(control)
            throw .alsa("open", errorNumber: -status)
        }
        let attached = snd_mixer_attach_hctl(mixer, elements)
        guard attached >= 0 else {
            snd_hctl_close(elements)
            throw .alsa("open", errorNumber: -attached)
        }
    }

    func levels() -> MixerLevels { MixerLevels(elements: playbackParts().map { levels(of: $0.element, $0.part) }) }

    /// Sets the elements that still exist. Returns those that failed, and the first error.
    func set(_ levels: MixerLevels) -> (levels: MixerLevels, error: MixerError?) {
        var failed: (levels: MixerLevels, error: MixerError?) = (MixerLevels(), nil)
        for element in levels.elements {
            guard let found = find(element.name, element.index) else { continue }
            do throws(MixerError) {
                try set(found, element)
            } catch {
                failed.levels.elements.append(element)
                failed.error = failed.error ?? error
            }
        }
        return failed
    }

    private func set(_ found: OpaquePointer, _ element: MixerLevels.Element) throws(MixerError) {
        var steps = MixerSteps()
        for (channel, volume) in element.volumes {
            let channel = snd_mixer_selem_channel_id_t(channel)
            steps.collect(snd_mixer_selem_set_playback_volume(found, channel, volume), "set")
        }
        for (channel, value) in element.switches {
            let channel = snd_mixer_selem_channel_id_t(channel)
            steps.collect(snd_mixer_selem_set_playback_switch(found, channel, value), "set")
        }
        try steps.end()
    }

    /// Unmutes every element that playback goes through. The first one with a volume gets the level, the
    /// others 0 dB. A card without any playback element, as is common with HDMI, is left as it is.
    func raise(to decibels: Double) throws(MixerError) {
        var steps = MixerSteps()
        var wanted = decibels
        let parts = playbackParts()
        guard !parts.isEmpty || !hasPlayback else { throw .noElement }
        for (element, part) in parts {
            if part.setsSwitch {
                steps.collect(snd_mixer_selem_set_playback_switch_all(element, 1), "unmute")
            }
            if part.setsVolume {
                steps.collect(setLevel(element, to: wanted), "set")
                wanted = 0
            }
        }
        try steps.end()
    }

    /// Sets the level on the card's decibel scale, or as a fraction of its range. Returns ALSA's status.
    private func setLevel(_ element: OpaquePointer, to decibels: Double) -> Int32 {
        var (least, most) = (0, 0)
        let decibels = decibels.isFinite ? min(max(decibels, -1000), 1000) : 0
        if snd_mixer_selem_get_playback_dB_range(element, &least, &most) >= 0, least < most {
            let wanted = min(max(Int((decibels * 100).rounded()), least), most)
            return snd_mixer_selem_set_playback_dB_all(element, wanted, 0)
        }
        let status = snd_mixer_selem_get_playback_volume_range(element, &least, &most)
        guard status >= 0 else { return status }
        // Most cards without a decibel scale have a range of about 60 dB.
        let part = min(max(1 + decibels / 60, 0), 1)
        let wanted = least + Int((Double(most - least) * part).rounded())
        return snd_mixer_selem_set_playback_volume_all(element, wanted)
    }

    static func check(_ status: Int32, _ doing: String) throws(MixerError) {
        guard status >= 0 else { throw .alsa(doing, errorNumber: -status) }
    }
}

extension Mixer {
    private var activeElements: [OpaquePointer] {
        var elements: [OpaquePointer] = []
        var next = snd_mixer_first_elem(mixer)
        while let element = next {
            next = snd_mixer_elem_next(element)
            if snd_mixer_selem_is_active(element) != 0 { elements.append(element) }
        }
        return elements
    }

    /// True if any element is for playback, even one with an unknown name.
    private var hasPlayback: Bool {
        activeElements.contains {
            snd_mixer_selem_has_playback_volume($0) != 0 || snd_mixer_selem_has_playback_switch($0) != 0
        }
    }

    /// Returns the elements that playback goes through, the main one first, and a ring's changes to each.
    private func playbackParts() -> [(element: OpaquePointer, part: PlaybackPart)] {
        let elements = activeElements
        let known = elements.map { element in
            let hasVolume = snd_mixer_selem_has_playback_volume(element) != 0
            let hasSwitch = snd_mixer_selem_has_playback_switch(element) != 0
            return PlaybackElement(
                name: name(element),
                volume: hasVolume ? (snd_mixer_selem_has_common_volume(element) == 0 ? .playback : .shared) : nil,
                muting: hasSwitch ? (snd_mixer_selem_has_common_switch(element) == 0 ? .playback : .shared) : nil)
        }
        return PlaybackElementNames.parts(of: known).map { (elements[$0.index], $0) }
    }

    private func name(_ element: OpaquePointer) -> String {
        snd_mixer_selem_get_name(element).map { String(cString: $0) } ?? ""
    }

    private func find(_ name: String, _ index: UInt32) -> OpaquePointer? {
        var id: OpaquePointer?
        guard snd_mixer_selem_id_malloc(&id) >= 0, let id else { return nil }
        defer { snd_mixer_selem_id_free(id) }
        snd_mixer_selem_id_set_name(id, name)
        snd_mixer_selem_id_set_index(id, index)
        return snd_mixer_find_selem(mixer, id)
    }

    private func levels(of element: OpaquePointer, _ part: PlaybackPart) -> MixerLevels.Element {
        var levels = MixerLevels.Element(
            name: name(element), index: snd_mixer_selem_get_index(element), volumes: [:], switches: [:])
        for number in 0...Int32(SND_MIXER_SCHN_LAST.rawValue) {
            let channel = snd_mixer_selem_channel_id_t(number)
            guard snd_mixer_selem_has_playback_channel(element, channel) != 0 else { continue }
            var (volume, value): (Int, Int32) = (0, 0)
            if part.setsVolume,
                snd_mixer_selem_get_playback_volume(element, channel, &volume) >= 0
            {
                levels.volumes[number] = volume
            }
            if part.setsSwitch,
                snd_mixer_selem_get_playback_switch(element, channel, &value) >= 0
            {
                levels.switches[number] = value
            }
        }
        return levels
    }
}

/// Steps that are all carried out, even if one fails: one element's error must not leave others muted.
private struct MixerSteps {
    private var first: MixerError?

    /// Records ALSA's status of a step.
    mutating func collect(_ status: Int32, _ doing: String) {
        if status < 0 { first = first ?? .alsa(doing, errorNumber: -status) }
    }

    /// Throws the first error, if any.
    func end() throws(MixerError) {
        if let first { throw first }
    }
}
