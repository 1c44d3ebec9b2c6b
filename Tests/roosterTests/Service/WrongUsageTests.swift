// The tests that usage errors are reported before any request.

import ScriptedService
import Testing

@Suite struct WrongUsageTests {
    @Test(arguments: [
        ["add"], ["add", "weekdays"], ["add", "7:00", "--volume", "0"], ["add", "7:00", "--volume", "2"],
        ["add", "7:00", "--math", "few"], ["add", "7:00", "--math", "3:2:1"], ["add", "7:00", "--on", "tue"],
        ["add", "7:00", "--on", "someday=7:00"], ["add", "7:00", "--on", "tue=7"],
        ["add", "7:00", "--snoozes", "some"], ["add", "7:00", "--snooze", "soon"], ["add", "7:00", "--snooze", "5x"],
        ["add", "7:00", "--no-math"], ["add", "7:00", "--steps", "many"], ["add", "7:00", "--label"],
        ["add", "7:00", "--label", "a", "--label", "b"], ["edit"], ["edit", "Work"], ["edit", "Work", "7"],
        ["pause", "Work"], ["pause", "Work", "2026-12-24", "--end"], ["pause", "Work", "soon"],
        ["pause", "Work", "2027-01-03/2026-12-21"], ["pause", "Work", "2026-12-21/"],
        ["pause", "Work", "2026-12-21", "2027-01-03"], ["add", "7:00", "--on", ",=7:00"],
        ["add", "7:00", "--on", "tue=7:45,fri"], ["add", "7:00", "--on", "tue=7:45,,fri=off"],
        ["add", "in", "20min", "daily"], ["add", "0700"], ["pause", "Work", "today/"], ["pause", "Work", "tomorow"],
        ["pause", "Work", "today", "tomorrow"], ["delete"], ["skip"], ["show", "a", "b"], ["list", "a"],
        ["code", "enrol"], ["code", "forget"], ["code", "list", "x"], ["code", "test", "x"],
        ["code", "cancel", "x"], ["code", "show"], ["code", "show", "x"], ["code", "enrol", "x", "--png"],
        ["code", "list", "--output", "x"], ["code", "list", "--tag"], ["code", "forget", "x", "--tag"],
        ["code", "enrol", "--tag"],
        ["bedside", "--power", "on"], ["bedside", "--speed", "0"], ["bedside", "--speed", "fast"],
        ["bedside", "--by", "x"],
        ["bedside", "--trusted", "perhaps"], ["bedside", "--disk", "torn"], ["bedside", "--press", "start"],
        ["bedside", "--press"], ["bedside", "--hold", "2"], ["bedside", "--press", "stop", "--hold", "long"],
        ["bedside", "--step", "0"], ["bedside", "--step=many"], ["bedside", "--step", "-1"],
        ["bedside", "--step", "many"], ["bedside", "30"], ["bedside", "--key", "seven"], ["bedside", "--tag", ""],
        ["bedside", "--tag", "04a2b3"], ["bedside", "--tag", "04a2b3c"], ["bedside", "--tag", "04a2b3cg"],
        ["bedside", "--tag", "00000000"], ["bedside", "--tag", "+1+2+3+4"],
        ["bedside", "--tag", "ababababababababababababababababab"], ["bedside", "--plug"],
        ["bedside", "--card", "usb"], ["bedside", "--card", "usb", "--plug", "--unplug"],
        ["bedside", "--fault", "hangs"], ["bedside", "--camera", "asleep"],
        ["bedside", "--card", "usb", "--fault", "sings"],
        ["history", "--days", "0"], ["history", "--days", "all"], ["history", "--json", "--csv"],
        ["history", "a", "b"],
        ["history", "--since", "soon"], ["history", "--since", "tomorrow"], ["history", "--events", "--csv"],
        ["history", "--events", "--success"], ["history", "--clear", "--days", "7"], ["history", "a", "--clear"],
        ["settings", "--enabled", "maybe"], ["settings", "--lock", "long"], ["settings", "--preflight", "25:00"],
        ["settings", "zone"],
        ["calendar", "save"], ["calendar", "delete"], ["calendar", "lits"], ["calendar", "list", "a"],
        ["calendar", "save", "a", "--weekdays", "sometimes"],
        ["calendar", "save", "a", "--file", "-", "--weekdays", "mon"],
        ["snooze", "soon"], ["snooze", "1234567"],
        ["status", "--type"], ["status", "--type", "--follow", "--json"], ["speakers", "all"], ["speakers", "--loud"],
        ["sound"], ["sound", "play"], ["sound", "save"], ["sound", "save", "tone01"], ["sound", "save", "a", "b", "c"],
        ["sound", "save", "tone01", "/nowhere/tone.wav", "--json"], ["sound", "list", "tone01"],
        ["sound", "test", "a", "b"], ["sound", "test", "--seconds", "0"], ["sound", "test", "--seconds", "61"],
        ["sound", "test", "--volume", "0"], ["sound", "test", "--volume", "loud"],
        ["sound", "test", "--volume", "101%"], ["sound", "test", "--json"],
        ["journal", "mend", "/nowhere"], ["journal", "check"], ["scan", "a.png", "--kinds", "qr,maxicode"],
        ["code", "print"], ["code", "print", "a", "b"], ["code", "print", "x", "--json"],
        ["code", "print", "x", "--png", "--output", "/tmp/no.svg"], ["code", "print", "x", "--output", "/tmp/no.pdf"],
        ["code", "print", "x", "--png", "--output", "/tmp/no.PDF"],
    ])
    func wrongUsage_isNotSent(words: [String]) throws {
        let server = try CannedService.server()
        let run = try server.rooster(words)
        #expect(run.exitStatus == 2, "\(words): \(run.errors)")
        #expect(run.output.isEmpty || words.contains("--json"))
        #expect(run.complaints.count >= 2)
        #expect(server.requests.isEmpty)
    }
}
