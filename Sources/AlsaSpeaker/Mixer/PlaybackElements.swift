// The classification of mixer elements by their names and properties.

import Sound

struct PlaybackElement: Hashable {
    enum ElementPurpose: Hashable {
        /// For playback only, according to the driver.
        case playback
        /// For playback, and possibly for recording or something else.
        case shared
    }

    var name: String
    var volume: ElementPurpose?
    var muting: ElementPurpose?
}

/// The changes that a ring makes to an element. The main elements come first.
struct PlaybackPart: Hashable {
    /// The element's index in the list that was classified.
    var index: Int
    var setsVolume: Bool
    var setsSwitch: Bool
}

/// The elements that playback goes through, by the names that drivers use.
enum PlaybackElementNames {
    /// The main elements of common cards. The first ones most likely control all others.
    private static let main = [
        "Master", "PCM", "Speaker", "Headphone", "Headphones", "Digital", "HDMI", "Front", "Line Out", "Playback",
        "Softmaster", "Analogue", "Amp", "DAC", "IEC958", "Bass Speaker", "Lineout", "Line-Out", "HP", "Headset",
        "Speaker+LO", "Headphone+LO", "Output 1", "Output 2", "DAC1",
    ]
    /// Words in the names of elements whose playback volume makes a microphone or other input audible.
    private static let inputs = ["mic", "capture", "cd", "aux", "beep", "loopback", "sidetone", "monitor"]
    /// Parts of the names of elements for tone or plug detection, which do not make playback audible.
    private static let ways = [
        "bypass", "boost", "sense", "jack", "emphasis", "overclock", "tone", "bass", "treble", "-6db",
    ]

    /// Returns the element's rank, or nil if playback does not go through it.
    static func place(of name: String) -> Int? {
        if let place = main.firstIndex(of: name) { return place }
        let name = name.lowercased()
        let words = name.split { !$0.isLetter }
        // A line output is not an input.
        let isOutput = words.contains { $0 == "out" || $0 == "output" }
        let isInput = words.contains { word in
            inputs.contains { $0 == word } || word.contains("input") || word == "line" && !isOutput
        }
        return isInput || ways.contains(where: name.contains) ? nil : main.count
    }

    /// Returns the changes that a ring makes. Elements with unknown names are only unmuted, and only if
    /// their driver declares them for playback. If no main element has a volume, theirs are set.
    static func parts(of elements: [PlaybackElement]) -> [PlaybackPart] {
        let found = elements.indices.compactMap { index in
            place(of: elements[index].name).map { (place: $0, index: index) }
        }
        let hasMainVolume = found.contains { $0.place < main.count && elements[$0.index].volume != nil }
        let parts = found.sorted { $0 < $1 }.map { place, index in
            let element = elements[index]
            let isMain = place < main.count
            return PlaybackPart(
                index: index,
                setsVolume: isMain ? element.volume != nil : element.volume == .playback && !hasMainVolume,
                setsSwitch: isMain ? element.muting != nil : element.muting == .playback)
        }
        return parts.filter { $0.setsVolume || $0.setsSwitch }
    }
}
