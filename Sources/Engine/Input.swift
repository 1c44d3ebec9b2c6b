// Everything that the engine is told.

import Alarms
import CivilTime

/// Something that has happened outside.
public enum Input: Hashable, Sendable {
    /// The service has started, and has replayed the journal.
    case start(Start)
    /// A wake that was asked for, or nothing but the wish to look again.
    case timer
    /// Whether the time is known to be right.
    case clockTrusted(Bool)
    /// The machine's zone.
    case zoneChanged(Zone)
    /// Zones that alarms or settings name: to be told before the command that first names them.
    case zonesRead([Zone])
    /// A button went down or up, at that time since the machine was started; nil for now.
    case button(Button, isDown: Bool, uptime: Int? = nil)
    /// A button can be read from now on, and is down or up: that is no press.
    case buttonFound(Button, isDown: Bool)
    /// The camera gave a frame, in which these codes were read; whether it is too dark to read any; and when it was taken, by
    /// the time since the machine was started, nil for now.
    case frame([SeenCode], isDark: Bool = false, takenUptime: Int? = nil)
    /// A step was felt, at that time since the machine was started; nil for now.
    case step(uptime: Int? = nil)
    /// A tag was held to the reader: its keyed hashes, one for each key in force; and whether it is another one each time.
    case tag([CodeDigest], isRandom: Bool = false)
    /// A number was typed on the keypad.
    case typed(Int)
    /// The speaker plays the session: how long after it was asked to, unless it goes on by another route.
    case audioStarted(route: String, latencyMilliseconds: Int?)
    /// The speaker could not play the session by a route.
    case audioFailed(route: String, reason: String)
    /// Something that ringing needs was found to be in order, or not.
    case health(Part, Health)
    /// Somebody wants something.
    case command(Command, Request)
    /// The entries of that number are durable.
    case kept(Int)
    /// The entries of that number are not, and will not be.
    case notKept(Int, reason: String)
}

/// What is known when the service starts.
public struct Start: Hashable, Sendable {
    /// Whether the time is known to be right.
    public var isClockTrusted: Bool
    /// The machine's zone.
    public var zone: Zone
    /// The zones that alarms and the settings name.
    public var zones: [Zone]
    /// The kinds of challenge that there is hardware for.
    public var kinds: Set<Challenge.Kind>
    /// Whether there are buttons: without them nobody can press stop, and a challenge begins by itself.
    public var hasButtons: Bool
    /// A random key, for a device that has none yet.
    public var newCodeKey: CodeKey?
    /// How codes that are enrolled may be read, by the camera's names for that.
    public var symbologies: Set<String>
    /// What chance there is to be from now on.
    public var seed: UInt64

    /// A start.
    public init(
        isClockTrusted: Bool, zone: Zone, zones: [Zone] = [],
        kinds: Set<Challenge.Kind> = Set(Challenge.Kind.allCases), hasButtons: Bool = true,
        newCodeKey: CodeKey? = nil, symbologies: Set<String> = [EnrolledCode.usualSymbology], seed: UInt64
    ) {
        self.isClockTrusted = isClockTrusted
        self.zone = zone
        self.zones = zones
        self.kinds = kinds
        self.hasButtons = hasButtons
        self.newCodeKey = newCodeKey
        self.symbologies = symbologies
        self.seed = seed
    }
}

/// One of the two buttons.
public enum Button: String, Hashable, Sendable, CaseIterable {
    case snooze, stop
}

/// A code that was read in a frame. White space at its ends is cut off before it is hashed; a blank one is no code.
public struct SeenCode: Hashable, Sendable {
    /// Its payload's keyed hashes, one for each key in force, the device's own first.
    public var digests: [CodeDigest]
    /// How the camera has read it.
    public var symbology: String
    /// How long its payload is.
    public var byteCount: Int

    /// A code of these hashes and that length.
    public init(digests: [CodeDigest], symbology: String = EnrolledCode.usualSymbology, byteCount: Int) {
        self.digests = digests
        self.symbology = symbology
        self.byteCount = byteCount
    }
}

/// A point in time, as the machine sees it.
public struct Moment: Hashable, Sendable {
    /// What the system's clock shows, in milliseconds since 1970-01-01T00:00:00Z. It may be wrong, and it may be set.
    public var wallMilliseconds: Int
    /// Milliseconds since the machine was started, time spent suspended included. It only goes forward.
    public var uptimeMilliseconds: Int

    /// A moment at which the clocks show these.
    public init(wallMilliseconds: Int, uptimeMilliseconds: Int) {
        self.wallMilliseconds = wallMilliseconds
        self.uptimeMilliseconds = uptimeMilliseconds
    }
}
