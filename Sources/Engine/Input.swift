// The inputs of the engine.

import Alarms
import Challenges
import CivilTime
import Clients
import Health

/// An event outside the engine.
package enum Input: Hashable, Sendable {
    /// The service has started, and has replayed the journal.
    case start(Start)
    /// The wake that the engine requested, or any other reason to process deadlines.
    case timer
    case clockTrusted(Bool)
    case zoneChanged(Zone)
    /// Zones that alarms or settings name. They are sent before the first command that names them.
    case zonesRead([Zone])
    /// A button went down or up, at this uptime; nil for now.
    case button(Button, isDown: Bool, uptime: Int? = nil)
    /// The position of a button when its line is first read, which is not a press.
    case buttonFound(Button, isDown: Bool)
    /// A frame of the camera. `isDark`: too dark to read any code. `takenUptime`: nil for now.
    case frame([SeenCode], isDark: Bool = false, takenUptime: Int? = nil)
    /// A step, at this uptime; nil for now.
    case step(uptime: Int? = nil)
    /// A tag at the reader: a keyed hash for each key in force, and whether its number is random.
    case tag([CodeDigest], isRandom: Bool = false)
    case typed(Int)
    /// A key of the keypad was pressed, which may be a part of a number.
    case keyPressed
    /// The speaker plays the session; the latency from order to sound is nil if only the route has changed.
    case audioStarted(route: String, latencyMilliseconds: Int?)
    case audioFailed(route: String, reason: String)
    case health(Part, Health)
    /// A client over HTTP has sent a request on a new day.
    case clientSeen(PairedClient.ID)
    case command(Command, RequestHeader)
    /// The commit of that number is durable.
    case committed(Int)
    case commitFailed(Int, reason: String)
}

package struct Start: Hashable, Sendable {
    package var isClockTrusted: Bool
    /// The machine's zone.
    package var zone: Zone
    package var zones: [Zone]
    package var kinds: Set<Challenge.Kind>
    /// The parts that are configured.
    package var parts: Set<Part>
    /// True if there are buttons. Without a stop button, a challenge begins by itself.
    package var hasButtons: Bool
    package var hasShaker: Bool
    package var hasSunrise: Bool
    /// A random key, for a device that has none yet.
    package var newCodeKey: CodeKey?
    /// The symbologies in which codes may be enrolled.
    package var symbologies: Set<String>
    /// The seed of all random draws from now on.
    package var seed: UInt64

    package init(
        isClockTrusted: Bool, zone: Zone, zones: [Zone] = [],
        kinds: Set<Challenge.Kind> = Set(Challenge.Kind.allCases), parts: Set<Part> = Set(Part.allCases),
        hasButtons: Bool = true, hasShaker: Bool = false, hasSunrise: Bool = false, newCodeKey: CodeKey? = nil,
        symbologies: Set<String> = [EnrolledCode.usualSymbology], seed: UInt64
    ) {
        (self.isClockTrusted, self.zone, self.zones, self.kinds) = (isClockTrusted, zone, zones, kinds)
        self.parts = parts
        (self.hasButtons, self.newCodeKey, self.symbologies, self.seed) = (hasButtons, newCodeKey, symbologies, seed)
        (self.hasShaker, self.hasSunrise) = (hasShaker, hasSunrise)
    }
}
