// Whether what was chosen will be heard.

/// Knows the sounds that can be chosen.
public protocol SoundCheck: Sendable {
    /// Tells why some of these sounds will not be heard as they were chosen, and what takes their place, in words: when the
    /// disk has answered, on whatever thread.
    func check(_ sounds: [String], then callback: @escaping @Sendable ([String]) -> Void)
}
