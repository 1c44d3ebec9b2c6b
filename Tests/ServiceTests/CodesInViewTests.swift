// The tests of the codes in view: their count in the log and in the status.

import Devices
import Testing

@testable import Service

@Suite struct CodesInViewTests {
    private func frame(_ uptime: Int, _ payloads: String...) -> CameraFrame {
        CameraFrame(takenUptime: uptime, codes: payloads.map { ReadCode(.qr, payload: Array($0.utf8)) })
    }

    @Test func code_isNewWhenItAppears_andAfterAnAbsence() {
        var inView = CodesInView()
        func new(_ frame: CameraFrame) -> [String] {
            inView.update(frame).map { String(decoding: $0.payload, as: UTF8.self) }
        }
        #expect(new(frame(0, "a")) == ["a"])
        #expect(new(frame(100, "a", "b")) == ["b"])
        // A few blurred frames do not end a code's presence.
        for uptime in stride(from: 200, to: 1900, by: 100) { #expect(new(frame(uptime)).isEmpty) }
        #expect(new(frame(1900, "a")).isEmpty)
        #expect(new(frame(3800, "a", "b")) == ["b"])
        #expect(new(frame(5800, "a")) == ["a"])
    }

    /// The engine reports the wrong code once a second. A code held still must count once.
    @Test func wrongCode_countsOnceForEachAppearance() {
        var inView = CodesInView()
        for uptime in stride(from: 0, to: 5000, by: 100) {
            let shown = frame(uptime, "milk")
            _ = inView.update(shown)
            if uptime % 1000 == 0 { inView.refuse(shown.codes) }
            #expect(inView.isWrong(shown.codes) && inView.wrongCount == 1)
        }
        let other = frame(5000, "bread")
        _ = inView.update(other)
        #expect(!inView.isWrong(other.codes))
        inView.refuse(other.codes)
        #expect(inView.wrongCount == 2)
        let again = frame(9000, "milk")
        _ = inView.update(again)
        #expect(!inView.isWrong(again.codes) && inView.wrongCount == 2)
    }

    @Test func manyCodes_areKeptUpToALimit() {
        var inView = CodesInView()
        let flood = (0..<1000).map { ReadCode(.qr, payload: Array("\($0)".utf8)) }
        #expect(inView.update(CameraFrame(takenUptime: 0, codes: flood)).count == 32)
        #expect(inView.update(CameraFrame(takenUptime: 100, codes: flood)).isEmpty)
    }
}
