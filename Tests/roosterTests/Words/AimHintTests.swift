// The tests of the hints for aiming a code at the camera.

import API
import Devices
import Testing

@testable import rooster

@Suite struct AimHintTests {
    private static func frame(isDark: Bool = false, sharpness: Int = 100, sizes: [Int] = []) -> CameraViewReport.Frame {
        let codes = sizes.map { ReadCode(.qr, payload: [], sizePercent: $0) }
        return .init(CameraFrame(takenUptime: 0, codes: codes, isDark: isDark, sharpness: sharpness))
    }

    private static func view(
        _ frame: CameraViewReport.Frame?, problem: String? = nil, wrongCount: Int = 0, isWrongInView: Bool = false,
        isStanding: Bool = false
    ) -> CameraViewReport {
        var view = CameraViewReport()
        view.frame = frame
        view.problem = problem
        view.wrongCodes = wrongCount
        view.wrongInView = isWrongInView
        view.removeAndShowAgain = isStanding
        return view
    }

    @Test(arguments: [
        (view(nil), "The camera is starting"),
        (view(frame()), "Hold the code in front of the camera"),
        (view(frame(isDark: true, sharpness: 0)), "Too dark: turn on a light"),
        (view(frame(sharpness: 5)), "Not sharp: hold the code still, or further away"),
        (view(frame(sizes: [5])), "The code is too small: come nearer"),
        (view(frame(sharpness: 5, sizes: [50])), "Hold the code still"),
        (view(frame(sizes: [5, 50])), "Several codes are in view: show one alone"),
        (view(nil, problem: "no camera is plugged in"), "The camera gives no pictures: no camera is plugged in"),
        (
            view(frame(sizes: [5, 50]), wrongCount: 1, isWrongInView: true),
            "This is the wrong code for this alarm"
        ),
        (
            view(frame(sizes: [50]), wrongCount: 3, isWrongInView: true),
            "This is the wrong code for this alarm (shown 3 times)"
        ),
        (
            view(frame(sharpness: 5), wrongCount: 1),
            "A wrong code was shown once"
        ),
        (view(frame(isDark: true), wrongCount: 1), "Too dark: turn on a light"),
        (
            view(frame(sizes: [50]), isStanding: true),
            "The code has been in view since the ring began: take it away and show it again"
        ),
        // The text must not move the cursor.
        (view(nil, problem: "a\nb"), #"The camera gives no pictures: a\nb"#),
    ])
    func text_explainsHowToHoldTheCode(view: CameraViewReport, words: String) { #expect(view.text == words) }

    /// Other clients word the same hints by themselves.
    @Test(
        arguments: [
            (view(frame(isDark: true)), .dark), (view(frame(sizes: [50]), isStanding: true), .standing),
            (view(frame(sizes: [5, 50]), wrongCount: 1, isWrongInView: true), .wrong),
            (view(frame(sizes: [5, 50])), .several), (view(frame(sizes: [5])), .small),
            (view(frame(sharpness: 5)), .blurred),
            (view(frame(sizes: [50])), .still), (view(frame()), nil), (view(nil), nil),
            (view(frame(isDark: true), problem: "unplugged"), nil),
        ] as [(CameraViewReport, CameraViewReport.Hint?)])
    func hint_namesWhatIsInTheWay(view: CameraViewReport, hint: CameraViewReport.Hint?) {
        #expect(view.present == hint)
    }

    @Test func line_isRedrawn_andErased() {
        var line = AimHint(isShown: true)
        #expect(line.erasure().isEmpty)
        #expect(line.drawing("Hold it", columns: 20) == "\rHold it\u{1B}[K")
        #expect(line.drawing("Hold it", columns: 20) == "")
        #expect(line.drawing("Hold it still", columns: 8) == "\rHold i…\u{1B}[K")
        #expect(line.erasure() == "\r\u{1B}[K")
        #expect(line.erasure().isEmpty)
        var hidden = AimHint(isShown: false)
        #expect(hidden.drawing("Hold it", columns: nil).isEmpty && hidden.erasure().isEmpty)
    }
}
