// Help for whoever holds a code before the camera.

import Alarms
import Testing

@testable import rooster

@Suite struct AimingTests {
    @Test(arguments: [
        (CameraSight(), "The camera is being opened"),
        (CameraSight(frame: .init()), "Hold the code before the camera"),
        (CameraSight(frame: .init(isDark: true, sharpness: 0)), "Too dark: turn on a light"),
        (CameraSight(frame: .init(sharpness: 5)), "Not sharp: hold it still, or further away"),
        (CameraSight(frame: .init(codeSizesPercent: [5])), "The code is small: come nearer"),
        (CameraSight(frame: .init(sharpness: 5, codeSizesPercent: [50])), "Hold it still"),
        (CameraSight(frame: .init(codeSizesPercent: [5, 50])), "Several codes are in view: show one alone"),
        (CameraSight(problem: "no camera is plugged in"), "There are no pictures: no camera is plugged in"),
        (
            CameraSight(frame: .init(codeSizesPercent: [5, 50]), wrongCount: 1, isWrongInView: true),
            "This code is not the one for this alarm"
        ),
        (
            CameraSight(frame: .init(codeSizesPercent: [50]), wrongCount: 3, isWrongInView: true),
            "This code is not the one for this alarm (a wrong one was shown 3 times)"
        ),
        (
            CameraSight(frame: .init(sharpness: 5), wrongCount: 1),
            "A code that is not the one for this alarm was shown once"
        ),
        (CameraSight(frame: .init(isDark: true), wrongCount: 1), "Too dark: turn on a light"),
        (
            CameraSight(frame: .init(codeSizesPercent: [50]), isStanding: true),
            "The code has been in view since it began to ring: take it away, and show it again"
        ),
        // What it says must move no cursor.
        (CameraSight(problem: "a\nb"), #"There are no pictures: a\nb"#),
    ])
    func words_sayHowToHoldIt(sight: CameraSight, words: String) { #expect(sight.words == words) }

    @Test func sight_isReadFromTheAnswer() throws {
        let frame = #"{"light":2,"dark":true,"sharpness":7,"codes":[{"symbology":"qr","sizePercent":40}]}"#
        let line =
            #"{"ok":true,"view":{"camera":"C","problem":null,"frame":\#(frame),"picture":"AA==","wrongCodes":2,"wrongInView":true}}"#
        guard case .done(let answer) = try Reply(Array(line.utf8)) else { throw Answer.notUnderstood(line) }
        let expected = CameraSight.Frame(isDark: true, sharpness: 7, codeSizesPercent: [40])
        #expect(try CameraSight.read(answer) == CameraSight(frame: expected, wrongCount: 2, isWrongInView: true))
    }

    @Test func line_isDrawnOver_andTakenAway() {
        var line = AimingLine(isShown: true)
        #expect(line.erasure().isEmpty)
        #expect(line.drawing("Hold it", columns: 20) == "\rHold it\u{1B}[K")
        #expect(line.drawing("Hold it", columns: 20) == "")
        #expect(line.drawing("Hold it still", columns: 8) == "\rHold i…\u{1B}[K")
        #expect(line.erasure() == "\r\u{1B}[K")
        #expect(line.erasure().isEmpty)
        var hidden = AimingLine(isShown: false)
        #expect(hidden.drawing("Hold it", columns: nil).isEmpty && hidden.erasure().isEmpty)
    }

    /// The vectors of RFC 4648.
    @Test(arguments: [
        ("", ""), ("f", "MY"), ("fo", "MZXQ"), ("foo", "MZXW6"), ("foob", "MZXW6YQ"), ("foobar", "MZXW6YTBOI"),
    ])
    func payloads_areBase32(text: String, digits: String) { #expect(CodeSheet.base32(Array(text.utf8)) == digits) }
}
