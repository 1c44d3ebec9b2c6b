// The emergency way out: both buttons held for a minute, or the same from the page.

import Engine

/// The world's own record of what is held.
struct EmergencyWatch {
    private var downSince: [Button: Int] = [:]
    /// Since when a button was down that was let go last, and when that was.
    private var released: [Button: (since: Int, at: Int)] = [:]
    /// From when until when it was held from elsewhere.
    private var page: (since: Int, last: Int)?

    private static let bounceMilliseconds = 50
    /// Whoever holds it from elsewhere says so again within this time.
    private static let pageMilliseconds = 5000
    /// A minute, but for the bouncing of its beginning.
    private static let milliseconds = 59_900

    /// `isOpen` says whether there is anything to end: nobody holds the way out of nothing.
    mutating func willGive(_ input: Input, isRepeated: Bool, isOpen: Bool, at now: Int) {
        switch input {
        case .button(let button, isDown: true):
            guard downSince[button] == nil else { return }
            // A contact that bounces was not let go.
            let last = released[button].flatMap { now - $0.at < EmergencyWatch.bounceMilliseconds ? $0.since : nil }
            downSince[button] = last ?? now
        case .button(let button, isDown: false):
            if let since = downSince.removeValue(forKey: button) { released[button] = (since, now) }
        case .command(.hold(true), _) where isOpen && !isRepeated:
            let since = page.flatMap { now - $0.last <= EmergencyWatch.pageMilliseconds ? $0.since : nil }
            page = (since ?? now, now)
        case .command(.hold(false), _) where !isRepeated: page = nil
        default: break
        }
    }

    /// What was held has had its effect.
    mutating func ended() {
        page = nil
    }

    mutating func died() {
        (downSince, page) = ([:], nil)
    }

    /// Whether the way out was held for long enough, by buttons neither of which was stuck since before `began`.
    func isHeld(at now: Int, since began: Int) -> Bool {
        let held = Button.allCases.compactMap { downSince[$0] }
        let isByButtons =
            held.count == 2 && (held.min() ?? now) >= began
            && now - (held.max() ?? now) >= EmergencyWatch.milliseconds
        let isByPage =
            page.map { page in
                page.since >= began && now - page.last <= EmergencyWatch.pageMilliseconds
                    && now - page.since >= EmergencyWatch.milliseconds
            } ?? false
        return isByButtons || isByPage
    }
}
