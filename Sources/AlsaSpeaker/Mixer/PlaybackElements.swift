// How the elements of mixers are told from one another, by their names and by what they have.

import Sound

struct PlaybackElement: Hashable {
    enum ElementPurpose: Hashable {
        /// On playback, as its maker says.
        case playback
        /// On playback for all that is known, and perhaps on recording or on something else.
        case shared
    }

    var name: String
    var volume: ElementPurpose?
    var muting: ElementPurpose?
}

/// What a ring does to an element. The main ones come first.
struct PlaybackPart: Hashable {
    /// The element's place in the list it was taken from.
    var index: Int
    var setsVolume: Bool
    var setsSwitch: Bool
}

/// Which elements playback goes through, by what the makers of cards call them.
enum PlaybackElementNames {
    /// The main ones of common cards, by what is most likely to govern all the others.
    private static let main = [
        "Master", "PCM", "Speaker", "Headphone", "Headphones", "Digital", "HDMI", "Front", "Line Out", "Playback",
        "Softmaster", "Analogue", "Amp", "DAC", "IEC958", "Bass Speaker", "Lineout", "Line-Out", "HP", "Headset",
        "Speaker+LO", "Headphone+LO", "Output 1", "Output 2", "DAC1",
    ]
    /// Words of elements that have a level for playback and let a microphone or another input be heard.
    private static let inputs = ["mic", "capture", "cd", "aux", "beep", "loopback", "sidetone", "monitor"]
    /// Parts of the names of elements that change how a card sounds or what it notices, and let nothing be heard.
    private static let ways = [
        "bypass", "boost", "sense", "jack", "emphasis", "overclock", "tone", "bass", "treble", "-6db",
    ]

    /// Where the element comes among the others; nothing where playback does not go through it.
    static func place(of name: String) -> Int? {
        if let place = main.firstIndex(of: name) { return place }
        let name = name.lowercased()
        let words = name.split { !$0.isLetter }
        // A line that goes out is no input.
        let isOutput = words.contains { $0 == "out" || $0 == "output" }
        let isInput = words.contains { word in
            inputs.contains { $0 == word } || word.contains("input") || word == "line" && !isOutput
        }
        return isInput || ways.contains(where: name.contains) ? nil : main.count
    }

    /// What a ring does to which of these. An element with a name of its own is only unmuted, and only by what is said to be
    /// for playback; where no main one has a level, it is those that are set.
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
