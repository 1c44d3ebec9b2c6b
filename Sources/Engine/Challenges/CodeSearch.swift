// Looking for one of some codes in what the camera gives.

import Alarms

/// What is known of the camera.
enum CameraState: Hashable, Sendable {
    /// Nothing is wrong with it, for all that is known.
    case usable
    /// It gives no frames.
    case broken
    /// It was there at the last preflight, and went when somebody could gain by that.
    case pulledOut
}

/// The search for a code: only the right one ends it.
struct CodeSearch: Hashable, Sendable {
    let labels: [String]
    /// Whether the search began with a press or a request, so that somebody is awake. A search that began with the ring knows
    /// that only when a code comes into view.
    let isAsked: Bool
    /// Until then nothing is read: a wrong code was shown. So no more than one a second is written down.
    private var blindUntilUptime = 0
    private let begunUptime: Int
    /// When the camera last gave a frame.
    private var frameUptime: Int?
    /// Whether it was too dark to read anything: with light, nobody can tell any more.
    private(set) var isDark = false
    /// Since when frames show none of the codes, in a search that nobody asked for.
    private var clearSinceUptime: Int?
    /// Whether the right code is in view and does not count: it has been there since the search began.
    private(set) var isStanding = false

    var camera = CameraState.usable

    private static let blindMilliseconds = 1000
    /// A code that was out of view for so long is one that somebody shows. A frame in which it is not read does not make it so.
    private static let clearMilliseconds = 1000
    /// A camera that gives no frame for so long is none.
    private static let framelessMilliseconds = 60_000
    /// So long it rings until something else takes the place of a camera that was pulled out.
    private static let pulledOutMilliseconds = 600_000

    init(labels: [String], isAsked: Bool, uptime: Int) {
        (self.labels, self.isAsked) = (labels, isAsked)
        begunUptime = uptime
    }

    /// Whether there is no camera to show a code to: it is known to be broken, or gives no frame for long.
    func isFrameless(uptime: Int) -> Bool {
        uptime >= framelessUptime || camera == .broken && frameUptime == nil
    }

    /// When there will be no camera to show a code to, if it gives no frame.
    var framelessUptime: Int {
        let timeout = camera == .pulledOut ? CodeSearch.pulledOutMilliseconds : CodeSearch.framelessMilliseconds
        return (frameUptime ?? begunUptime) + timeout
    }

    /// What was read in a frame. Answers with the right code, or with a wrong one. A frame that was taken before the search
    /// began shows what was held there then. Where nobody is known to be up, a code that has been in view from the beginning ends
    /// nothing: it hangs there, or was left there.
    mutating func see(
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

    /// Whether the codes have been out of view for a while.
    private func isClear(at takenUptime: Int) -> Bool {
        clearSinceUptime.map { takenUptime - $0 >= CodeSearch.clearMilliseconds } ?? false
    }
}
