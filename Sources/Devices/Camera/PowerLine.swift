// How often the light of lamps flickers, which cameras see as stripes.

/// The frequency of the mains by which a camera times its exposure.
public enum PowerLine: String, Hashable, Sendable, CaseIterable {
    /// As the camera was.
    case untouched
    /// The camera finds out by itself, where it can.
    case auto
    /// Europe, most of Asia, Africa and Australia.
    case hertz50 = "50"
    /// America, and some of Asia.
    case hertz60 = "60"
}
