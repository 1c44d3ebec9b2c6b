// How the elements of mixers are told from one another, by their names.

/// Which elements playback goes through, by what the makers of cards call them.
enum PlaybackElementNames {
    /// The main ones of common cards, by what is most likely to govern all the others.
    private static let main = [
        "Master", "PCM", "Speaker", "Headphone", "Headphones", "Digital", "HDMI", "Front", "Line Out", "Playback",
        "Softmaster", "Analogue", "Amp", "DAC", "IEC958", "Bass Speaker",
    ]
    /// Words of elements that have a level for playback and let a microphone or another input be heard.
    private static let inputs = [
        "mic", "capture", "input", "line", "cd", "aux", "beep", "loopback", "sidetone", "monitor",
    ]

    /// Where the element comes among the others; nothing where playback does not go through it.
    static func place(of name: String) -> Int? {
        if let place = main.firstIndex(of: name) { return place }
        let words = name.lowercased().split { !$0.isLetter }
        // A line that goes out is no input.
        let isOutput = words.contains { $0 == "out" || $0 == "output" }
        let isInput = words.contains { word in inputs.contains { $0 == word } }
        return isInput && !isOutput ? nil : main.count
    }
}
