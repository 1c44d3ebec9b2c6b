// The tests of `rooster clients` and `rooster token`.

import Oracles
import ScriptedService
import Testing

@testable import rooster

@Suite(.timeLimit(.minutes(5))) struct ClientCommandTests {
    private static let phone =
        #"{"id":"0123abcd","name":"Anna's phone","kind":"page","may":"change","day":"2026-11-20"}"#
    private static let doorbell = #"{"id":"4567cdef","name":"doorbell","kind":"script","may":"use","day":"2026-11-23"}"#

    private func server(_ clients: String, _ others: [String: String] = [:]) throws -> MockServer {
        let list = ["clients": #"{"ok":true,"clients":[\#(clients)]}"#, "forgetClient": CannedService.done]
        return try CannedService.server(list.merging(others) { $1 })
    }

    @Test func list_printsEachClient() throws {
        let server = try server("\(Self.phone),\(Self.doorbell)")
        let run = try server.rooster("clients")
        #expect(
            run.output == """
                Anna's phone  page    may change  last on 2026-11-20  0123abcd
                doorbell      script  may use     last on 2026-11-23  4567cdef

                """, "\(run.errors)")
        #expect(try server.rooster("clients", "list").output == run.output)
        #expect(try server.rooster("clients", "--json").output == "\(Self.phone)\n\(Self.doorbell)\n")
        #expect(try self.server("").rooster("clients").output.hasPrefix("No client is paired."))
    }

    @Test func forget_takesANameOrAnId() throws {
        for name in ["doorbell", "DOORBELL", "4567cdef"] {
            let server = try server("\(Self.phone),\(Self.doorbell)")
            #expect(try server.rooster("clients", "forget", name).output == "Forgot \"doorbell\"\n")
            #expect(server.request("forgetClient") == #"{"client":"4567cdef"}"#)
        }
        let other = Self.doorbell.replacing("4567cdef", with: "89ab0123")
        let twice = try server("\(Self.doorbell),\(other)").rooster("clients", "forget", "doorbell")
        #expect(twice.exitStatus == 1 && twice.errors.contains("4567cdef, 89ab0123"), "\(twice.errors)")
        let none = try server("").rooster("clients", "forget", "tablet")
        #expect(none.exitStatus == 1 && none.errors.contains("There is no client \"tablet\""), "\(none.errors)")
    }

    /// A script can read the token, because nothing else is on standard output.
    @Test func token_isPrintedAlone() throws {
        let server = try server("", ["addToken": #"{"ok":true,"client":\#(Self.doorbell),"token":"S3cr3t"}"#])
        let run = try server.rooster("token", "add", "doorbell", "--may", "use")
        #expect(run.output == "S3cr3t\n")
        #expect(run.errors.contains("Authorization: Bearer TOKEN"))
        #expect(server.request("addToken") == #"{"name":"doorbell","may":"use"}"#)
        #expect(try server.rooster("token", "add", "x").exitStatus == 0)
        #expect(server.request("addToken") == #"{"name":"x","may":"look"}"#)
    }

    @Test(arguments: [
        ["clients", "forget"], ["clients", "drop", "x"], ["clients", "list", "x"], ["token", "add"],
        ["token", "make", "x"], ["token", "add", "x", "--may", "everything"],
    ])
    func wrongUsage_isExplained(words: [String]) throws {
        #expect(try server("").rooster(words).exitStatus == 2)
    }
}
