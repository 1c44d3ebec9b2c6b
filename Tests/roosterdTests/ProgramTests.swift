// The tests of roosterd as a program, as its owner and systemd run it.

import Fixtures
import Foundation
import Oracles
import Testing

@Suite struct ProgramTests {
    func roosterd(_ arguments: String...) throws -> Program {
        try Program(Program.built("roosterd"), arguments)
    }

    @Test func help_andVersion_exitWith0() throws {
        for option in ["--help", "-h"] {
            let run = try roosterd(option)
            #expect(run.exitStatus == 0)
            #expect(run.output.hasPrefix("Usage: roosterd [--config FILE]"))
            #expect(run.errors.isEmpty)
        }
        let version = try roosterd("--version")
        #expect(version.exitStatus == 0)
        #expect(version.output.hasPrefix("roosterd "))
    }

    @Test func wrongUsage_exitsWith2_andShowsTheUsage() throws {
        let run = try roosterd("--speed", "2")
        #expect(run.exitStatus == 2)
        #expect(run.output.isEmpty)
        let reason = "roosterd: --speed needs --simulate\nUsage: roosterd "
        #expect(run.errors.hasPrefix(reason), "\(run.errors)")
    }

    @Test func validConfiguration_isConfirmed() throws {
        let scratch = try Scratch()
        let path = try scratch.file("r.conf", holding: "log: { level = \"debug\"; };").path
        let run = try roosterd("--check-config", "--config", path)
        #expect(run.exitStatus == 0)
        #expect(run.output == "\(path): no mistakes\n")
        #expect(run.errors.isEmpty)
    }

    @Test func invalidConfiguration_isReportedInFull_andExitsWith1() throws {
        let scratch = try Scratch()
        let path = try scratch.file("r.conf", holding: "log: {\n  levl = 1;\n};\nspeaker: { mixer = 120; };\n;;").path
        let run = try roosterd("--check-config", "--config", path)
        #expect(run.exitStatus == 1)
        #expect(run.output.isEmpty)
        let complaints = run.errors.split(separator: "\n")
        #expect(complaints.count == 3)
        #expect(complaints.first == "roosterd: \(path):2: log.levl: is an unknown option: did you mean log.level?")
        #expect(
            complaints.dropFirst().first?.hasPrefix("roosterd: \(path):4: speaker.mixer: must be a number of decibels")
                == true)
        #expect(complaints.last?.hasPrefix("roosterd: \(path):5: syntax error") == true)
    }

    /// A valid configuration may name a missing group or directory. The check must report both.
    @Test func missingGroupAndSounds_areMistakes() throws {
        let scratch = try Scratch()
        let text = "control: { group = \"no-such\"; };\nspeaker: { sounds = \"/nowhere/s\"; };"
        let path = try scratch.file("r.conf", holding: text).path
        let run = try roosterd("--check-config", "--config", path)
        #expect(run.exitStatus == 1)
        #expect(run.output.isEmpty)
        #expect(
            run.errors == """
                roosterd: \(path): control.group: must be a group of this machine, not "no-such"
                roosterd: \(path): speaker.sounds: must be a folder, not /nowhere/s (No such file or directory)

                """)
        let daemon = try DaemonFixture(scratch.path, configuration: path)
        let status = try Program(
            Program.built("rooster"), ["status"], environment: ["ROOSTER_SOCKET": daemon.socket])
        #expect(
            status.output.contains("! The configuration: \(path): speaker.sounds: must be a folder"),
            "\(status.output)")
        #expect(daemon.end() == 0)
    }

    @Test func missingLines_areReported_andNoLinesAreNot() throws {
        let scratch = try Scratch()
        let none = try scratch.file("none.conf", holding: "buttons: { snooze = \"rooster-nothing\"; };").path
        let quiet = try roosterd("--lines-off", "--config", none)
        #expect(quiet.exitStatus == 0 && quiet.output.isEmpty && quiet.errors.isEmpty)
        let text = "buzzer: { line = \"rooster-buzzer\"; }; lamps: { status = \"rooster-lamp\"; };"
        let run = try roosterd("--lines-off", "--config", try scratch.file("lines.conf", holding: text).path)
        #expect(run.exitStatus == 1)
        let complaints = run.errors.split(separator: "\n")
        #expect(complaints.count == 2)
        for (complaint, line) in zip(complaints, ["rooster-buzzer", "rooster-lamp"]) {
            #expect(complaint.hasPrefix("roosterd: ") && complaint.contains(line))
        }
    }

    @Test func stateDirectory_isCreated_withItsParents() throws {
        let scratch = try Scratch()
        let daemon = try DaemonFixture("\(scratch.path)/share//trial/")
        #expect(daemon.end() == 0)
        var isDirectory: ObjCBool = false
        #expect(FileManager.default.fileExists(atPath: "\(scratch.path)/share/trial/mixers", isDirectory: &isDirectory))
        #expect(isDirectory.boolValue)
        _ = try scratch.file("file")
        let run = try roosterd("--simulate", "--silent", "--state", "\(scratch.path)/file/state")
        #expect(run.exitStatus == 1)
        #expect(run.errors.hasSuffix("\(scratch.path)/file/state: Not a directory\n"), "\(run.errors)")
    }

    /// On a machine with Rooster installed, the test must not use the installed state.
    @Test(.enabled(if: !FileManager.default.fileExists(atPath: "/var/lib/rooster")))
    func missingStateDirectory_isReported_withTheOptionToChooseAnother() throws {
        let service = try Dialogue(Program.built("roosterd"), ["--socket", "/tmp/rooster-nobody-listens"])
        #expect(service.hear("/var/lib/rooster") != nil)
        #expect(service.hear("To use another folder, start roosterd with --state DIR.") != nil)
        service.signal(SIGTERM)
        #expect(service.exitStatus() == 0)
    }

    @Test func simulation_withoutAStateDirectory_usesATemporaryOne() throws {
        let simulation = try Dialogue(Program.built("roosterd"), ["--simulate", "--silent"])
        #expect(simulation.hear("rooster --socket ") != nil)
        let socket = try #require(simulation.hear(" ")).dropLast()
        let place = String(socket.prefix(upTo: try #require(socket.lastIndex(of: "/"))))
        #expect(place.hasPrefix("/tmp/rooster-"))
        #expect(FileManager.default.fileExists(atPath: "\(place)/mixers"))
        simulation.signal(SIGTERM)
        #expect(simulation.exitStatus() == 0)
        #expect(!FileManager.default.fileExists(atPath: place))
        #expect(!simulation.hearAll().contains("cannot be removed"))
    }

    /// nohup(1) starts the service with SIGHUP ignored. Its terminal may then close.
    @Test func ignoredHangUp_doesNotEndTheService() throws {
        let scratch = try Scratch()
        let socket = "\(scratch.path)/s"
        let service = try Dialogue(
            "/bin/sh",
            [
                "-c", "trap '' HUP; exec \"$0\" \"$@\"", Program.built("roosterd"), "--simulate", "--silent", "--state",
                scratch.path, "--socket", socket, "--zone", "UTC", "--clock", "2024-03-09T14:00:00Z",
            ])
        _ = try #require(service.hear("Ready: "))
        service.signal(SIGHUP)
        let client = try Client(of: socket)
        try client.ask(#"{"do":"add","alarm":{"id":"work","time":"15:00"}}"#)
        try client.ask(#"{"do":"simulate","clock":"2024-03-09T14:59:59Z"}"#)
        #expect(service.hear("Alarm work on 2024-03-09 at 15:00 plays") != nil)
        service.signal(SIGTERM)
        #expect(service.exitStatus() == 0)
    }

    @Test func unwritableOutput_exitsWith1() throws {
        let run = try Program("/bin/sh", ["-c", #"exec "$0" --help >/dev/full"#, Program.built("roosterd")])
        #expect(run.exitStatus == 1)
        #expect(run.errors == "roosterd: Cannot write to standard output: No space left on device\n")
    }
}
