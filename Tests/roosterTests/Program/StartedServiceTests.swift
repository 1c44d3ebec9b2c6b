// A sound test where no service runs: it leaves the mixer of its card as it was, however it ends, and nothing of itself.

import FaultyCard
import Foundation
import Oracles
import Testing

@testable import rooster

@Suite(.timeLimit(.minutes(10))) struct StartedServiceTests {
    /// A machine whose sound server is a card that does as it is told, and a place to keep things.
    struct Machine {
        let scratch: Scratch
        /// Both sides write single numbers.
        let card: UnsafeMutablePointer<faulty_card>
        let mixer: UnsafeMutablePointer<faulty_mixer>
        let environment: [String: String]

        init() throws {
            scratch = try Scratch()
            let path = scratch.path
            card = try sharedFile(of: faulty_card.self, at: "\(path)/card.control")
            mixer = try sharedFile(of: faulty_mixer.self, at: "\(path)/mixer.control")
            mixer.pointee.volumes.0 = (10, 20)
            let library = Program.built("librooster-faulty-card.so")
            let text = """
                pcm_type.faulty { lib "\(library)" }
                ctl_type.faulty { lib "\(library)" }
                pcm.pipewire { type faulty control "\(path)/card.control" hint { show on description "a card" } }
                ctl.pipewire { type faulty control "\(path)/mixer.control" }
                """
            _ = try scratch.file("pipewire-0")
            try FileManager.default.createDirectory(atPath: "\(path)/rooster/mixers", withIntermediateDirectories: true)
            environment = [
                "ROOSTER_SOCKET": "\(path)/control.sock", "XDG_RUNTIME_DIR": path, "XDG_STATE_HOME": path,
                "ALSA_CONFIG_PATH": try scratch.file("alsa.conf", holding: text).path,
            ]
        }

        var isRaised: Bool { mixer.pointee.switches.0 == (1, 1) && mixer.pointee.volumes.0 == (100, 100) }

        /// As before, and nothing is left on the disk that would put it back once more.
        var isAsItWas: Bool {
            mixer.pointee.switches.0 == (0, 0) && mixer.pointee.volumes.0 == (10, 20) && !isRemembered
        }

        var isRemembered: Bool {
            FileManager.default.fileExists(atPath: "\(scratch.path)/rooster/mixers/mixer-pipewire")
        }

        /// How a test that was killed has left it.
        func leaveRaised() throws {
            let text = "rooster-mixer/1\n0 0=10,1=20 0=0,1=0 Master\n"
            _ = try scratch.file("rooster/mixers/mixer-pipewire", holding: text)
            mixer.pointee.volumes.0 = (100, 100)
            mixer.pointee.switches.0 = (1, 1)
        }

        /// Begins a test, and waits until it has raised the mixer. From then on, everything takes its time.
        func begunTest() async throws -> Process {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: Program.built("rooster"))
            process.arguments = ["sound", "test", "tone01", "--seconds", "60"]
            process.environment = environment
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            try process.run()
            while !isRaised, process.isRunning { try await Task.sleep(for: .milliseconds(5)) }
            mixer.pointee.write_milliseconds = 100
            return process
        }

        /// The roosterd that was started by a process.
        func daemon(of process: Process) throws -> pid_t {
            let id = process.processIdentifier
            let children = try String(contentsOfFile: "/proc/\(id)/task/\(id)/children", encoding: .utf8)
            return try #require(children.split(separator: " ").first.flatMap { pid_t($0) })
        }

        /// The directory in which such a roosterd listens.
        func place(of daemon: pid_t) throws -> String {
            let words = try String(contentsOfFile: "/proc/\(daemon)/cmdline", encoding: .utf8).split(separator: "\0")
            let socket = try #require(words.firstIndex(of: "--socket").map { String(words[$0 + 1]) })
            return URL(fileURLWithPath: socket).deletingLastPathComponent().path
        }
    }

    /// One that nobody has waited for yet has no words any more.
    static func runs(_ daemon: pid_t) -> Bool {
        let words = try? String(contentsOfFile: "/proc/\(daemon)/cmdline", encoding: .utf8)
        return words?.isEmpty == false
    }

    static func end(of process: Process) async throws {
        while process.isRunning { try await Task.sleep(for: .milliseconds(20)) }
    }

    @Test func mixer_isPutBack_whenTheSoundWasHeard() throws {
        let machine = try Machine()
        machine.mixer.pointee.write_milliseconds = 100
        let run = try Program(
            Program.built("rooster"), ["sound", "test", "--seconds", "1"], environment: machine.environment)
        #expect(run.exitStatus == 0, "\(run.errors)")
        #expect(run.lines == ["Chimes on pipewire (sound server (pipewire))"])
        #expect(machine.card.pointee.taken_frames > 48_000 / 2)
        #expect(machine.mixer.pointee.lowerings > 0, "it was raised")
        #expect(machine.isAsItWas)
    }

    @Test func mixer_isPutBack_whenSomebodyHasHadEnough() async throws {
        let machine = try Machine()
        let process = try await machine.begunTest()
        let place = try machine.place(of: machine.daemon(of: process))
        kill(process.processIdentifier, SIGINT)
        try await Self.end(of: process)
        #expect(process.terminationReason == .uncaughtSignal)
        #expect(machine.mixer.pointee.lowerings > 0, "it was raised")
        #expect(machine.isAsItWas)
        #expect(!FileManager.default.fileExists(atPath: place))
    }

    /// What it has started does not play on, and leaves nothing as it should not be.
    @Test func mixer_isPutBack_whenTheTestIsKilled() async throws {
        let machine = try Machine()
        let process = try await machine.begunTest()
        let daemon = try machine.daemon(of: process)
        let place = try machine.place(of: daemon)
        kill(process.processIdentifier, SIGKILL)
        while Self.runs(daemon) { try await Task.sleep(for: .milliseconds(10)) }
        #expect(machine.isAsItWas)
        #expect(!FileManager.default.fileExists(atPath: place))
    }

    @Test func mixer_isPutBack_whenNothingIsHeard() throws {
        let machine = try Machine()
        machine.card.pointee.stalls = 1
        let run = try Program(Program.built("rooster"), ["sound", "test"], environment: machine.environment)
        #expect(run.exitStatus == 1)
        #expect(
            run.complaints.last == "rooster: nothing is heard: 'rooster speakers' shows what works")
        #expect(machine.mixer.pointee.lowerings > 0, "it was raised")
        #expect(machine.isAsItWas)
    }

    /// Both were killed: what has raised the mixer could not put it back.
    @Test func mixerOfATestThatWasKilled_isPutBackByTheNext() async throws {
        let machine = try Machine()
        let first = try await machine.begunTest()
        let daemon = try machine.daemon(of: first)
        let place = try machine.place(of: daemon)
        // A ring does not wait for the disk: the mixer may be raised before the file is there.
        while !machine.isRemembered, first.isRunning { try await Task.sleep(for: .milliseconds(5)) }
        for id in [daemon, first.processIdentifier] { kill(id, SIGKILL) }
        while Self.runs(daemon) || first.isRunning { try await Task.sleep(for: .milliseconds(10)) }
        #expect(machine.isRaised && machine.isRemembered)
        let run = try Program(
            Program.built("rooster"), ["sound", "test", "--seconds", "1"], environment: machine.environment)
        #expect(run.exitStatus == 0, "\(run.errors)")
        #expect(machine.isAsItWas)
        try FileManager.default.removeItem(atPath: place)
    }

    /// What only lists sounds or speakers sets no mixer.
    @Test func speakers_areTriedInSilence_andSoundsOpenNoCard() throws {
        let machine = try Machine()
        let sounds = try Program(Program.built("rooster"), ["sound", "list"], environment: machine.environment)
        #expect(sounds.exitStatus == 0 && machine.card.pointee.opens == 0)
        let speakers = try Program(Program.built("rooster"), ["speakers"], environment: machine.environment)
        #expect(speakers.lines == ["→ pipewire  sound server (pipewire): works"], "\(speakers.errors)")
        #expect(machine.card.pointee.opens == 1)
        #expect(machine.card.pointee.first_heard_nanoseconds == 0)
        #expect(machine.mixer.pointee.writes == 0)
        machine.card.pointee.open_error = EBUSY
        let busy = try Program(Program.built("rooster"), ["speakers"], environment: machine.environment)
        #expect(busy.exitStatus == 1)
        #expect(busy.lines == ["  pipewire  sound server (pipewire): in use by another program"])
        #expect(busy.complaints.last?.hasPrefix("rooster: every speaker is in use by another program") == true)
    }

    @Test func state_isKeptWhereTheUserKeepsIt() {
        func path(besideService: Bool, _ variables: [String: String]) -> String {
            StateDirectory.path(besideService: besideService) { variables[$0] }
        }
        #expect(path(besideService: false, ["HOME": "/home/a"]) == "/home/a/.local/state/rooster")
        #expect(path(besideService: false, ["HOME": "/home/a", "XDG_STATE_HOME": "/s"]) == "/s/rooster")
        #expect(
            path(besideService: false, ["HOME": "/home/a", "XDG_STATE_HOME": "s"]) == "/home/a/.local/state/rooster")
        #expect(path(besideService: true, ["HOME": "/root"]) == "/var/lib/rooster/sound-test")
        #expect(path(besideService: false, [:]) == "/var/lib/rooster/sound-test")
    }
}
