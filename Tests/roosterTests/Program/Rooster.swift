// The rooster command as its users meet it: as a program.

import Oracles

/// `rooster plan` of a file that comes by standard input.
func plan(
    _ file: String, from: String, until: String, _ options: String..., environment: [String: String]? = nil
) throws -> Program {
    let arguments = ["plan", "-", "--from", from, "--until", until] + options
    return try Program(Program.built("rooster"), arguments, input: file, environment: environment)
}
