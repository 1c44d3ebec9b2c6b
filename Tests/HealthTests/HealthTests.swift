// The tests of the grades of health, and of devices that were pulled out.

import Alarms
import CivilTime
import Health
import JSON
import Testing

@Suite struct HealthTests {
    private static let midnight = Instant(secondsSince1970: 1_768_262_400)
    private static let failures = [SpeakerFailure(name: "Phones", reason: "unplugged")]
    private static let broken: [Cause] = [
        .silent(failures), .unready([]), .diskRefuses(reason: "full"), .diskHangs, .codesUnmet(["no tag"]),
        .cameraBroken(reason: "no frames"), .cameraPulledOut, .unusable(reason: "gone"), .buttonStuck(.stop),
        .buttonLoose(.stop), .challengesReplaced(["5 sums instead of the tag"]), .described(.broken, "Out of order"),
    ]
    private static let warnings: [Cause] = [
        .wiring("no pull-up"), .camera("dark"), .buzzerOnly(failures), .mixer("80 %"), .sound("no such file"),
        .replaced(by: "Screen", missing: ["Amplifier"], failures: failures), .soundsUnread,
        .diskWears(failure: "EIO"), .clockUnknown, .buttonStuck(.snooze), .buttonLoose(.snooze), .noRing, .allOff,
        .pulledOut(until: midnight), .described(.warning, "Old"),
    ]

    @Test func grade_isThatOfTheWorstCause() {
        #expect(Health.ok.grade == .ok && Health(.described(.ok, "Fine")).grade == .ok)
        for warning in Self.warnings {
            #expect(Health(warning).grade == .warning, "\(warning)")
            for broken in Self.broken { #expect(Health(warning, broken).grade == .broken, "\(broken)") }
        }
        let codes = Set((Self.broken + Self.warnings).map(\.code))
        #expect(codes == Set(Cause.Code.allCases))
    }

    /// Journals and responses contain causes.
    @Test(arguments: broken + warnings) func cause_isReadAsItWasWritten(cause: Cause) throws {
        #expect(try JSON(encoding: cause).decoded(as: Cause.self) == cause)
    }

    @Test func buttonThatIsStuck_servesNoPattern() {
        for button in Button.allCases {
            #expect(Health(.buttonStuck(button)).isUnusable && Health(.buttonLoose(button)).isUnusable)
        }
        #expect(Health(.unusable(reason: "gone")).isUnusable && !Health(.wiring("no pull-up")).isUnusable)
    }

    @Test func pulledOutDevice_isOnlyBroken_afterItsDay() {
        let broken = Health(.unusable(reason: "gone"))
        let pulledOut = broken.adding(.pulledOut(until: Self.midnight))
        #expect(broken.pulledOutUntil == nil && pulledOut.pulledOutUntil == Self.midnight)
        #expect(pulledOut.withoutPulledOut == broken && broken.withoutPulledOut == broken)
        // An earlier version recorded no day and no reason.
        let old = Health(.cameraPulledOut)
        #expect(old.pulledOutUntil == .earliest)
        #expect(old.withoutPulledOut == Health(.cameraBroken(reason: "it was unplugged")))
    }

    @Test func part_isNamedInTheWordsOfOwners() {
        #expect(Part.allCases.map(\.name).filter { $0.contains(" ") } == ["step sensor", "tag reader"])
        #expect(Part.buttons.faultText == "the buttons do not work")
        #expect(Part.tags.faultText == "the tag reader does not work")
    }
}
