// The tests of the search for a code in the camera's frames.

import Alarms
import Testing

@testable import Challenges

@Suite struct CodeSearchTests {
    private static let enrolled = [
        EnrolledCode(label: "bathroom", kind: .qr, digest: CodeDigest("bathroom")),
        EnrolledCode(label: "hall", kind: .qr, digest: CodeDigest("hall")),
        EnrolledCode(label: "fridge", kind: .tag, digest: CodeDigest("fridge")),
    ]

    private static func seen(_ name: String) -> SeenCode { SeenCode(digests: [CodeDigest(name)], byteCount: 8) }

    private static func match(
        _ search: inout CodeSearch, _ names: [String], isDark: Bool = false, at uptime: Int
    ) -> Progress {
        search.match(
            names.map(seen), isDark: isDark, takenUptime: uptime, enrolled: enrolled, uptime: uptime
        ).0
    }

    /// A code that hangs in view of the bed would end each ring at once.
    @Test func codeInViewFromTheStart_countsOnlyAfterItWasOutOfView() {
        var search = CodeSearch(labels: ["bathroom"], isUp: false, uptime: 0)
        #expect(Self.match(&search, ["bathroom"], at: 0) == .nothing && search.isStanding)
        // One frame in which it cannot be read is not enough, and a dark frame shows nothing.
        #expect(Self.match(&search, [], at: 100) == .nothing)
        #expect(Self.match(&search, ["bathroom"], at: 200) == .nothing)
        for uptime in stride(from: 300, through: 2000, by: 100) {
            #expect(Self.match(&search, [], isDark: true, at: uptime) == .nothing)
        }
        #expect(Self.match(&search, ["bathroom"], at: 2100) == .nothing && search.isDark)
        for uptime in [2200, 3200] { #expect(Self.match(&search, [], at: uptime) == .nothing) }
        #expect(!search.isStanding && Self.match(&search, ["bathroom"], at: 3300) == .done)
    }

    @Test func codeCountsAtOnce_forAPersonWhoIsUp_butNotFromAnOldFrame() {
        var search = CodeSearch(labels: ["bathroom", "hall"], isUp: true, uptime: 1000)
        #expect(Self.match(&search, ["hall"], at: 999) == .nothing)
        #expect(Self.match(&search, ["poster", "hall"], at: 1000) == .done)
    }

    @Test func wrongCode_isReportedOnceASecond() {
        var search = CodeSearch(labels: ["bathroom"], isUp: true, uptime: 0)
        // The label of a tag or of another challenge is not the code that is asked.
        let results = ["hall", "fridge", "hall", "fridge"].enumerated().map {
            Self.match(&search, [$1], at: $0 * 500)
        }
        #expect(results == [.wrong, .nothing, .wrong, .nothing])
        #expect(Self.match(&search, ["bathroom"], at: 2000) == .done)
    }
}
