// The tests of roosterd's command line options.

import CivilTime
import System
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
        let arguments = [
            "--simulate", "--clock", "2024-03-10T01:59:00-05:00", "--speed=60", "--zone", "America/New_York",
            "--state=/s=1", "--config", "-c", "--socket", "/tmp/a",
        ]
        var expected = DaemonArguments()
        expected.state = "/s=1"
        expected.configuration = "-c"
        expected.socket = "/tmp/a"
        expected.simulation = DaemonArguments.SimulationOptions(
            clock: Instant(secondsSince1970: 1_710_053_940), speed: 60, zone: "America/New_York")
        #expect(try DaemonArguments(arguments) == expected)
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
    func task_isTheRequestedOne(arguments: [String], task: DaemonArguments.Mode) throws {
        #expect(try DaemonArguments(arguments).task == task)
    }

    @Test(arguments: [
        (["--stat", "a"], "There is no option \"--stat\""), (["start"], "Unexpected argument \"start\""),
        (["--"], "There is no option \"--\""), (["--simulate=yes"], "There is no option \"--simulate=yes\""),
        (["--state"], "--state needs a value"), (["--state", "a", "--state=b"], "--state is given twice"),
        (["--simulate", "--simulate"], "--simulate is given twice"),
        (["--state="], "--state must be a folder, not \"\""),
        (["--config", ""], "--config must be a file, not \"\""),
        (["--speed", "2"], "--speed needs --simulate"),
        (["--clock=2024-03-10T01:59:00Z"], "--clock needs --simulate"),
        (["--silent"], "--silent needs --simulate"),
        (["--zone=UTC"], "--zone needs --simulate"),
        (["--simulate", "--speed", "0"], "--speed must be a number from 0.01 to 100000, not \"0\""),
        (["--simulate", "--speed", "nan"], "--speed must be a number from 0.01 to 100000, not \"nan\""),
        (["--simulate", "--speed", "inf"], "--speed must be a number from 0.01 to 100000, not \"inf\""),
        (
            ["--simulate", "--zone", "Berlin"],
            "--zone must be a time zone such as Europe/Berlin, not \"Berlin\""
        ),
        (
            ["--simulate", "--clock", "01:59"],
            "--clock must be an instant such as 2024-03-10T01:59:00-05:00, not \"01:59\""
        ),
    ])
    func wrongUsage_isReported(arguments: [String], reason: String) {
        #expect(throws: WrongUsage(text: reason)) { try DaemonArguments(arguments) }
    }

    @Test func socketPath_mustFitIntoItsAddress() throws {
        let path = String(repeating: "a", count: 107)
        #expect(try DaemonArguments(["--socket", path]).socket == path)
        #expect(throws: WrongUsage.self) { try DaemonArguments(["--socket", path + "a"]) }
    }
}
