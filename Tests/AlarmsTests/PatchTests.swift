// The tests of patches: some members of an alarm or of the settings, as a client sends them.

import JSON
import Testing

@testable import Alarms

@Suite struct PatchTests {
    private func patch(_ text: String) throws -> AlarmPatch {
        try JSON(parsing: Array(text.utf8)).decoded()
    }

    @Test(arguments: [
        // A member that the patch lacks stays unchanged, at every depth.
        (
            #"{"label":"x"}"#,
            #"{"label":"x","ring":{"sound":"bells01","ramp":5},"late":60,"weekly":{"tue":"08:00"},"mine":{"a":1}}"#
        ),
        (
            #"{"ring":{"ramp":9},"weekly":{"wed":"off"},"mine":{"b":2}}"#,
            #"{"ring":{"sound":"bells01","ramp":9},"late":60,"weekly":{"tue":"08:00","wed":"off"},"mine":{"a":1,"b":2}}"#
        ),
        // Null restores the default.
        (#"{"ring":{"sound":null},"late":null}"#, #"{"ring":{"ramp":5},"weekly":{"tue":"08:00"},"mine":{"a":1}}"#),
        (#"{"ring":null,"weekly":{"tue":null}}"#, #"{"late":60,"mine":{"a":1}}"#),
        // For this member null has a meaning of its own: no limit.
        (
            #"{"snooze":{"max":null}}"#,
            #"{"snooze":{"max":null},"ring":{"sound":"bells01","ramp":5},"late":60,"weekly":{"tue":"08:00"},"mine":{"a":1}}"#
        ),
    ])
    func patch_changesOnlyItsFields(text: String, edited: String) throws {
        let alarm = try patch(
            #"{"ring":{"sound":"bells01","ramp":5},"late":60,"weekly":{"tue":"08:00"},"mine":{"a":1}}"#
        ).value
        #expect(try patch(text).applied(to: alarm) == patch(edited).value)
        // The JSON of a patch equals its source.
        #expect(try "\(patch(text).json)" == text)
    }

    @Test func problems_areReported_whenThePatchIsRead() throws {
        let wrong = try patch(#"{"time":"7","ring":{"volume":"loud"},"dates":{"soon":"off"},"lable":"x"}"#)
        #expect(
            wrong.problems.map(\.description) == [
                #"time: must be a time such as "07:00", not "7""#,
                #"dates.soon: must be a date such as "2026-01-15", not "soon""#,
                #"ring.volume: must be a number, not "loud""#,
                #"lable: is an unknown field: did you mean "label"?"#,
            ])
        #expect(throws: JSONMismatch("", "must be an object { … }, not a list")) { try patch("[]") }
    }
}
