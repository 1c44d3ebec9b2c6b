// The search for one of an alarm's codes in the camera's frames.

import Alarms

package enum CameraState: Hashable, Sendable {
    /// No fault is known.
    case usable
    /// The camera delivers no frames.
    case broken
    /// The camera disappeared while an alarm was locked or rang: it was pulled out to avoid the code.
    case pulledOut
}

/// The search for a code. Only the right one ends it.
package struct CodeSearch: Hashable, Sendable {
    let labels: [String]
    /// True if the search began with a press or a request, so that a person is known to be awake. If it
    /// began with the ring, only a code that comes into view proves that.
    package let isAsked: Bool
    /// The end of the pause after a wrong code: at most one wrong code a second is recorded.
    private var blindUntilUptime = 0
    private let begunUptime: Int
    private var frameUptime: Int?
    /// True once a frame was too dark to read. It stays true: with the lamp on, the frames are light.
    package private(set) var isDark = false
    /// The time since which no code has been in view, in a search that began with the ring.
    private var clearSinceUptime: Int?
    /// True if the right code does not count because it has been in view since the search began.
    package private(set) var isStanding = false

    package internal(set) var camera = CameraState.usable

    private static let blindMilliseconds = 1000
    /// The time out of view after which a person has shown the code. One frame without it is not enough.
    private static let clearMilliseconds = 1000
    private static let framelessMilliseconds = 60_000
    /// The timeout for a camera that was pulled out, after which sums replace the code.
    private static let pulledOutMilliseconds = 600_000

    init(labels: [String], isAsked: Bool, uptime: Int) {
        (self.labels, self.isAsked) = (labels, isAsked)
        begunUptime = uptime
    }

    /// Returns true if the camera delivers no frames: it is known to be broken, or has timed out.
    func isFrameless(uptime: Int) -> Bool {
        uptime >= framelessUptime || camera == .broken && frameUptime == nil
    }

    var framelessUptime: Int {
        let timeout = camera == .pulledOut ? CodeSearch.pulledOutMilliseconds : CodeSearch.framelessMilliseconds
        return (frameUptime ?? begunUptime) + timeout
    }

    /// Matches the codes of a frame. Returns the right code, or a wrong one. A frame that was taken before
    /// the search began does not count. In a search that began with the ring, a code that has been in view
    /// from the start does not count either: it hangs in view of the camera, or was left there.
    mutating func match(
        _ codes: [SeenCode], isDark: Bool, takenUptime: Int, enrolled: [EnrolledCode], uptime: Int
    ) -> (Progress, SeenCode?) {
        frameUptime = uptime
        if isDark { self.isDark = true }
        guard takenUptime >= max(blindUntilUptime, begunUptime) else { return (.nothing, nil) }
        let wanted = enrolled.filter { $0.kind == .qr && labels.contains($0.label) }
        if let right = codes.first(where: { code in wanted.contains { code.digests.contains($0.digest) } }) {
            isStanding = !isAsked && !isClear(at: takenUptime)
            clearSinceUptime = nil
            return isStanding ? (.nothing, nil) : (.done, right)
        }
        if !isDark { clearSinceUptime = clearSinceUptime ?? takenUptime }
        if isClear(at: takenUptime) { isStanding = false }
        guard let wrong = codes.first else { return (.nothing, nil) }
        blindUntilUptime = uptime + CodeSearch.blindMilliseconds
        return (.wrong, wrong)
    }

    /// Returns true if the codes have been out of view for a while.
    private func isClear(at takenUptime: Int) -> Bool {
        clearSinceUptime.map { takenUptime - $0 >= CodeSearch.clearMilliseconds } ?? false
    }
}
