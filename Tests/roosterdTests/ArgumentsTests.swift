// The tests of roosterd's command line options.

import CivilTime
import Testing

@testable import roosterd

@Suite struct ArgumentsTests {
    @Test func noArguments_giveTheInstalledService() throws {
        let arguments = try DaemonArguments([])
        #expect(arguments == DaemonArguments())
        #expect(arguments.task == .serve)
        #expect(arguments.configuration == nil)
        #expect(arguments.state == nil)
        #expect(arguments.socket == nil)
        #expect(arguments.simulation == nil)
    }

    @Test func everyOption_isRead_inBothForms() throws {
        let words = [
            "--simulate", "--clock", "2024-03-10T01:59:00-05:00", "--speed=60", "--zone", "America/New_York",
            "--state=/s=1", "--config", "-c", "--socket", "/tmp/a",
        ]
        var expected = DaemonArguments()
        expected.state = "/s=1"
        expected.configuration = "-c"
        expected.socket = "/tmp/a"
        expected.simulation = DaemonArguments.SimulationOptions(
            clock: Instant(secondsSince1970: 1_710_053_940), speed: 60, zone: "America/New_York")
        #expect(try DaemonArguments(words) == expected)
    }

    @Test func simulation_withoutASpeed_runsInRealTime() throws {
        #expect(
            try DaemonArguments(["--simulate"]).simulation
                == DaemonArguments.SimulationOptions(clock: nil, speed: 1, zone: nil))
    }

    @Test(arguments: [
        (["--stat", "--help", "--version"], DaemonArguments.Mode.showHelp), (["-h"], .showHelp),
        (["--version", "--check-config"], .showVersion),
        (["--check-config", "--config", "a"], .checkConfiguration),
    ])
    func task_isTheRequestedOne(words: [String], task: DaemonArguments.Mode) throws {
        #expect(try DaemonArguments(words).task == task)
    }

    @Test(arguments: [
        (["--stat", "a"], "there is no option \"--stat\""), (["start"], "\"start\" is one word too many"),
        (["--"], "there is no option \"--\""), (["--simulate=yes"], "there is no option \"--simulate=yes\""),
        (["--state"], "--state needs a value"), (["--state", "a", "--state=b"], "--state is given twice"),
        (["--simulate", "--simulate"], "--simulate is given twice"),
        (["--state="], "--state: \"\" is not the name of a directory"),
        (["--config", ""], "--config: \"\" is not the name of a file"),
        (["--speed", "2"], "--speed is for a simulated bedside: it needs --simulate"),
        (["--clock=2024-03-10T01:59:00Z"], "--clock is for a simulated bedside: it needs --simulate"),
        (["--silent"], "--silent is for a simulated bedside: it needs --simulate"),
        (["--zone=UTC"], "--zone is for a simulated bedside: it needs --simulate"),
        (["--simulate", "--speed", "0"], "--speed: \"0\" is not a number from 0.01 to 100000"),
        (["--simulate", "--speed", "nan"], "--speed: \"nan\" is not a number from 0.01 to 100000"),
        (["--simulate", "--speed", "inf"], "--speed: \"inf\" is not a number from 0.01 to 100000"),
        (
            ["--simulate", "--zone", "Berlin"],
            "--zone: \"Berlin\" is not a time zone that this machine knows, as Europe/Berlin"
        ),
        (["--simulate", "--clock", "01:59"], "--clock: \"01:59\" is not an instant such as 2024-03-10T01:59:00-05:00"),
    ])
    func wrongUsage_isReported(words: [String], reason: String) {
        #expect(throws: WrongUsage(words: reason)) { try DaemonArguments(words) }
    }

    @Test func socketPath_mustFitIntoItsAddress() throws {
        let path = String(repeating: "a", count: 107)
        #expect(try DaemonArguments(["--socket", path]).socket == path)
        #expect(throws: WrongUsage.self) { try DaemonArguments(["--socket", path + "a"]) }
    }
}
