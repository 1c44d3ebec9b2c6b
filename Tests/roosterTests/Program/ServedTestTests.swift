// The tests of a sound test while the service runs: only the service may open the cards.

import Foundation
import Oracles
import ScriptedService
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(10))) struct ServedTestTests {
    static let session = CannedService.session(label: "Test", challenges: "").replacing(
        #""test":false"#, with: #""test":true"#
    )
    .replacing("6f9619ff-8b86-d011", with: "")

    /// Returns a service whose test rings from the second status request up to number `looksMax`.
    func server(
        looksMax: Int, speaker: String = SpeakersCommandTests.speakers, answer: String = CannedService.done
    ) throws -> MockServer {
        let looks = Atomic(0)
        return try MockServer { request in
            switch request.text("do") {
            case "status":
                let look = looks.add(1, ordering: .relaxed).newValue
                let rings = look >= 2 && look <= looksMax
                return [
                    .line(
                        CannedService.status(
                            sessions: rings ? ServedTestTests.session : "",
                            speaker: rings ? speaker : #"{"output":null,"decibels":null,"routes":[]}"#))
                ]
            case "stop": return [.line(#"{"ok":true,"state":"stopped"}"#)]
            default: return [.line(answer)]
            }
        }
    }

    @Test func test_isPlayedByTheService_andNamesTheCard() throws {
        let server = try server(looksMax: 5)
        let run = try server.rooster("sound", "test", "bells01", "--seconds", "2", "--volume", "0.5")
        #expect(run.exitStatus == 0, "\(run.errors)")
        #expect(run.lines == ["Playing Soft Bells on usb:0d8c:0014 (USB Audio)"])
        #expect(
            server.request("testRing")
                == #"{"ring":{"sound":"bells01","volume":0.5,"ramp":0,"for":2},"delaySeconds":2}"#)
        #expect(server.request("stop") == nil)
    }

    @Test func inaudibleTest_isStopped_andReported() throws {
        let server = try server(
            looksMax: 1000,
            speaker: SpeakersCommandTests.speakers.replacing(#""output":"Device""#, with: #""output":null"#))
        let run = try server.rooster("sound", "test")
        #expect(run.exitStatus == 1)
        #expect(run.complaints == ["rooster: Nothing is heard. 'rooster speakers' shows which speakers work."])
        #expect(server.request("stop") != nil)
    }

    @Test func invalidTest_isRefused() throws {
        let server = try server(looksMax: 5)
        #expect(try server.rooster("sound", "test", "nothing").complaints.first?.contains("There is no sound") == true)
        let busy = try CannedService.server(["testRing": #"{"ok":false,"reason":"ringing","message":"An alarm rings"}"#]
        )
        #expect(try busy.rooster("sound", "test").complaints == ["rooster: An alarm rings"])
        #expect(server.request("testRing") == nil)
    }

    /// An alarm may begin first.
    @Test func testThatDoesNotBegin_isReported() throws {
        let run = try server(looksMax: 0).rooster("sound", "test")
        #expect(run.exitStatus == 1)
        #expect(run.complaints.first?.hasPrefix("rooster: The test has not begun") == true)
    }

    /// The request names the test, so that it cannot stop an alarm that has begun meanwhile.
    @Test(arguments: [SIGINT, SIGTSTP]) func testThatIsInterrupted_isStopped(signal: Int32) async throws {
        let server = try server(looksMax: 1000)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Program.built("rooster"))
        process.arguments = ["sound", "test", "--seconds", "60"]
        process.environment = ["ROOSTER_SOCKET": server.path]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        defer { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }
        try await waitUntil { server.requests.count >= 4 }
        kill(process.processIdentifier, signal)
        try await waitUntil { server.request("stop") != nil }
        #expect(server.request("stop") == #"{"ifRing":{"alarm":"","at":"2026-11-23T22:45:00Z"}}"#)
        try await waitUntil {
            // SIGTSTP suspends the process, and SIGCONT resumes it.
            kill(process.processIdentifier, SIGCONT)
            return !process.isRunning
        }
        #expect(process.terminationStatus == (signal == SIGINT ? SIGINT : 0))
    }
}
