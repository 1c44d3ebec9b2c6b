// Looking for one of some codes in what the camera gives.

import Alarms

/// The search for a code: only the right one ends it.
struct CodeSearch: Hashable, Sendable {
    let labels: [String]
    /// Until then nothing is read: a wrong code was shown. So no more than one a second is written down.
    private var blindUntilUptime = 0
    private let begunUptime: Int
    /// When the camera last gave a frame.
    private var frameUptime: Int?
    /// Whether it was too dark to read anything: with light, nobody can tell any more.
    private(set) var isDark = false

    private static let blindMilliseconds = 1000
    /// A camera that gives no frame for so long is none.
    static let framelessMilliseconds = 60_000

    init(labels: [String], uptime: Int) {
        self.labels = labels
        begunUptime = uptime
    }

    /// Whether there is no camera to show a code to: it is known to be broken, or gives no frame for long.
    func isFrameless(uptime: Int, isCameraBroken: Bool) -> Bool {
        uptime >= framelessUptime || isCameraBroken && frameUptime == nil
    }

    /// When there will be no camera to show a code to, if it gives no frame.
    var framelessUptime: Int { (frameUptime ?? begunUptime) + CodeSearch.framelessMilliseconds }

    /// What was read in a frame. Answers with the right code, or with a wrong one.
    mutating func see(
        _ codes: [SeenCode], isDark: Bool, enrolled: [EnrolledCode], uptime: Int
    ) -> (Progress, SeenCode?) {
        frameUptime = uptime
        if isDark { self.isDark = true }
        guard uptime >= blindUntilUptime else { return (.nothing, nil) }
        let wanted = enrolled.filter { $0.kind == .qr && labels.contains($0.label) }
        if let right = codes.first(where: { code in wanted.contains { $0.digest == code.digest } }) {
            return (.done, right)
        }
        guard let wrong = codes.first else { return (.nothing, nil) }
        blindUntilUptime = uptime + CodeSearch.blindMilliseconds
        return (.wrong, wrong)
    }
}
