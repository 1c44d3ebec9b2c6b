// A control socket that cannot be had at the start is had as soon as it can be, and nobody starts anything anew for that.

import Alarms
import Foundation
import Household
import Oracles
import Testing

@Suite struct DoorsTests {
    @Test func socket_isOpened_whenItsPlaceIsFree() throws {
        let scratch = try Scratch()
        let files = FileManager.default
        let place = "\(scratch.path)/place"
        let socket = "\(place)/s"
        let service = try Dialogue(
            Program.built("roosterd"), ["--simulate", "--silent", "--state", scratch.path, "--socket", socket])
        var said = try #require(service.hear("\(socket): No such file or directory"))
        // It rings meanwhile.
        said += try #require(service.hear("Ready"))
        // Made elsewhere first: it is never there without what is in its way.
        try files.createDirectory(atPath: "\(scratch.path)/new", withIntermediateDirectories: false)
        _ = try scratch.file("new/s", holding: "somebody else's")
        try files.moveItem(atPath: "\(scratch.path)/new", toPath: place)
        said += try #require(service.hear("\(socket): Address already in use"))
        try files.removeItem(atPath: socket)
        said += try #require(service.hear("Alarms can be changed"))
        #expect(try Client(of: socket).ask(#"{"do":"status"}"#)["ok"] == .bool(true))
        // Each reason is said once, however often it was tried.
        #expect(said.split(separator: "Nobody can change alarms").count == 3, "\(said)")
        service.signal(SIGTERM)
        #expect(service.exitStatus() == 0)
        #expect(!files.fileExists(atPath: socket))
    }
}
