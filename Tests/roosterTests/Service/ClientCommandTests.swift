// The tests of `rooster clients` and `rooster token`.

import CodeSheets
import Oracles
import ScriptedService
import System
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

    /// The code in the terminal has the squares of the code, which a phone reads.
    @Test func pair_showsACode_andItsAddress() throws {
        let server = try server("", ["invite": #"{"ok":true,"secret":"S3cr3t","seconds":120}"#])
        let run = try server.rooster("pair", "--address", "192.168.1.20")
        let url = "http://192.168.1.20/#pair=S3cr3t"
        let symbol = try QRSymbol(payload: Array(url.utf8))
        let lines = run.output.split(separator: "\n").map(Array.init)
        #expect(lines[0] == Array(repeating: "█", count: symbol.side + 4))
        for row in 0..<symbol.side {
            for column in 0..<symbol.side {
                let (shown, isUpper) = (lines[(row + 2) / 2][column + 2], row % 2 == 0)
                let isLight = shown == "█" || shown == (isUpper ? "▀" : "▄")
                #expect(isLight != symbol.isDark(column: column, row: row), "\(column) \(row)")
            }
        }
        #expect(run.output.contains("  \(url)\n") && run.output.contains("within 2 minutes"))
        let https = try server.rooster("pair", "--address", "https://alarm.example/", "--json")
        #expect(
            https.output == #"{"secret":"S3cr3t","seconds":120,"urls":["https://alarm.example/#pair=S3cr3t"]}"# + "\n")
        let own = try server.rooster("pair", "--json").output
        #expect(own.contains(".local/#pair=S3cr3t") || own.contains("localhost/#pair=S3cr3t"), "\(own)")
    }

    @Test func addresses_haveThePrivateOnesFirst() {
        let found: [UInt32] = [0xA9FE_0101, 0x0808_0808, 0xC0A8_0114, 0xAC10_0001, 0xAC20_0001, 0x0A00_0002]
        #expect(
            LocalAddresses.inOrder(found) == [
                "192.168.1.20", "172.16.0.1", "10.0.0.2", "8.8.8.8", "172.32.0.1", "169.254.1.1",
            ])
        #expect(!LocalAddresses.ipv4.contains { $0.hasPrefix("127.") })
    }

    @Test(arguments: [
        ["clients", "forget"], ["clients", "drop", "x"], ["clients", "list", "x"], ["token", "add"],
        ["token", "make", "x"], ["token", "add", "x", "--may", "everything"], ["pair", "now"],
        ["pair", "--address", "a b"],
    ])
    func wrongUsage_isExplained(words: [String]) throws {
        #expect(try server("").rooster(words).exitStatus == 2)
    }
}
