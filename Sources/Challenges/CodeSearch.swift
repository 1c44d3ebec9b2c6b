// The search for one of an alarm's codes in the camera's frames.

import Alarms

/// The search for a code. Only the right one ends it.
package struct CodeSearch: Hashable, Sendable {
    package let labels: [String]
    /// True if a person has shown that they are up, by another code, a tag or steps. Otherwise a code must
    /// come into view: one that is in view already may stand beside the bed.
    package let isUp: Bool
    /// The end of the pause after a wrong code: at most one wrong code a second is recorded.
    private var blindUntilUptime = 0
    private let begunUptime: Int
    /// True once a frame was too dark to read. It stays true: with the lamp on, the frames are light.
    package private(set) var isDark = false
    /// The time since which no right code has been in view.
    private var clearSinceUptime: Int?
    /// True if the right code does not count because it has been in view since the search began.
    package private(set) var isStanding = false

    private static let blindMilliseconds = 1000
    /// The time out of view after which a person has shown the code. One frame without it is not enough.
    private static let clearMilliseconds = 1000

    package init(labels: [String], isUp: Bool, uptime: Int) {
        (self.labels, self.isUp) = (labels, isUp)
        begunUptime = uptime
    }

    /// Matches the codes of a frame. Returns the right code, or a wrong one. A frame that was taken before
    /// the search began does not count. Unless a person is up, a code that has been in view from the start
    /// does not count either: it hangs in view of the camera, or was left there.
    package mutating func match(
        _ codes: [SeenCode], isDark: Bool, takenUptime: Int, enrolled: [EnrolledCode], uptime: Int
    ) -> (Progress, SeenCode?) {
        if isDark { self.isDark = true }
        guard takenUptime >= max(blindUntilUptime, begunUptime) else { return (.nothing, nil) }
        let wanted = enrolled.filter { $0.kind == .qr && labels.contains($0.label) }
        if let right = codes.first(where: { code in wanted.contains { code.digests.contains($0.digest) } }) {
            isStanding = !isUp && !isClear(at: takenUptime)
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

/// A code in a frame. White space around its payload is not hashed; a blank payload is not a code.
package struct SeenCode: Hashable, Sendable {
    /// The keyed hashes of the payload, one for each key in force, the device's own first.
    package var digests: [CodeDigest]
    package var symbology: String
    package var byteCount: Int

    package init(digests: [CodeDigest], symbology: String = EnrolledCode.usualSymbology, byteCount: Int) {
        (self.digests, self.symbology, self.byteCount) = (digests, symbology, byteCount)
    }
}
