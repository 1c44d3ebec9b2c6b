// A status of a scripted service, as its report and as the lines that a person reads.

import API
import ScriptedService

@testable import rooster

func status(_ answer: String) throws -> StatusReport {
    let server = try MockServer(["status": answer])
    return try RunningService(socket: server.path).status()
}

func statusLines(_ answer: String, _ style: Style = .plain) throws -> [String] {
    StatusLines(try status(answer), style).lines
}

/// Returns the lines of `status --follow` without a terminal.
func followedLines(_ answers: String...) throws -> [String] {
    let server = try MockServer.following(answers.map { .line($0) })
    return try server.rooster("status", "--follow").lines.map(String.init)
}
