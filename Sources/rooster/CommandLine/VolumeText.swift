// How loud something is to be, as people write it.

enum VolumeText {
    static let expected = "a volume from 0.01 to 1, or 1% to 100%"

    static func read(_ text: String) -> Double? {
        let isPercent = text.hasSuffix("%")
        guard let number = Double(isPercent ? String(text.dropLast()) : text) else { return nil }
        let volume = isPercent ? number / 100 : number
        return (0.01...1).contains(volume) ? volume : nil
    }
}
