// The tests of the command `simulate`, used to find nights that break a promise.

import Oracles
import Testing

@Suite struct SimulateCommandTests {
    @Test func lastLine_hasTheFieldsForScripts() throws {
        let run = try simulate(["--nights", "3", "--seed", "5"])
        #expect(run.exitStatus == 0)
        let line = try #require(run.output.split(separator: "\n").last)
        #expect(line.hasPrefix("{\"nights\":3,\"seed\":5,\"faults\":["))
        #expect(line.contains("\"violations\":0"))
        #expect(line.contains("\"rings\":"))
    }

    @Test func sameSeed_givesTheSameNights() throws {
        let first = try simulate(["--nights", "3", "--seed", "5"])
        #expect(try simulate(["--nights", "3", "--seed", "5"]).output == first.output)
        #expect(try simulate(["--nights", "3", "--seed", "6"]).output != first.output)
    }

    /// A night depends neither on the machine nor on the Swift version. A change of the engine's behaviour
    /// changes this value.
    @Test func nights_areTheSameEverywhere() throws {
        let run = try simulate(["--nights", "20", "--seed", "1"])
        #expect(run.output.contains("\"trace\":\"7a6f1e9ddaf4af39\""), "\(run.output)")
    }

    @Test(arguments: [
        [], ["--nights"], ["--nights", "many"], ["--nights", "-1"], ["--nights", "1", "--faults", "ghosts"], ["--what"],
        ["--nights", "9223372036854775807", "--from", "5"],
    ])
    func wrongUsage_exitsWith2(arguments: [String]) throws {
        let run = try simulate(arguments)
        #expect(run.exitStatus == 2)
        #expect(run.output == "")
        #expect(run.errors.hasPrefix("simulate: "))
        #expect(run.errors.contains("Usage: simulate"))
    }

    @Test func help_exitsWith0() throws {
        let run = try simulate(["--help"])
        #expect(run.exitStatus == 0)
        #expect(run.output.hasPrefix("Usage: simulate"))
    }
}

private func simulate(_ arguments: [String]) throws -> Program {
    try Program(Program.built("simulate"), arguments)
}
