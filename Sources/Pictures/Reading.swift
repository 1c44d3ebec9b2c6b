// What the reader of codes makes of one picture.

import Devices

/// What one picture shows.
public struct Reading: Hashable, Sendable {
    /// The codes in it, each payload once.
    public var codes: [ReadCode] = []
    /// Who read them; nil when there are none.
    public var decoder: Decoder?
    /// How long it took.
    public var milliseconds = 0.0
    /// How light the picture is, from 0 for black to 100 for white.
    public var light = 0
    /// Whether it is too dark to read a code.
    public var isDark = false
    /// How sharp it is, from 0 for a covered lens to 100.
    public var sharpness = 0
}

/// The libraries that read codes.
public enum Decoder: String, Hashable, Sendable {
    case zbar, zxing
}
