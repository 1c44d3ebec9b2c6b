// The tests of the limits on connections.

import Oracles
import Testing

@testable import HTTP

@Suite struct ConnectionTableTests {
    private func addresses(_ number: Int, local: NetworkAddress = .clock) -> ConnectionAddresses {
        ConnectionAddresses(local: local, peer: .v4(0xC0A8_0200 + UInt32(number)))
    }

    private func accept(
        _ table: inout ConnectionTable, _ addresses: ConnectionAddresses, at now: Int = 0
    ) throws -> (id: ConnectionTable.ID, closing: ConnectionTable.ID?) {
        guard case .accepted(let id, let closing) = table.admit(addresses, at: now) else { throw Refused() }
        return (id, closing)
    }

    private struct Refused: Error {}

    @Test func publicAddresses_areRefused() {
        var table = ConnectionTable()
        let anywhere = NetworkAddress.v4(0x0808_0808)
        #expect(table.admit(ConnectionAddresses(local: .clock, peer: anywhere), at: 0) == .refused)
        #expect(table.admit(ConnectionAddresses(local: anywhere, peer: .phone), at: 0) == .refused)
        #expect(table.count == 0 && table.nextDeadline == nil)
    }

    @Test func ninthConnectionOfAnAddress_closesItsOldestIdleOne() throws {
        var table = ConnectionTable()
        let ids = try (0..<8).map { try accept(&table, .lan, at: $0).id }
        for id in ids { table.note(.write, of: id, at: 10) }
        #expect(table.admit(.lan, at: 11) == .refused)
        table.note(.idle, of: ids[5], at: 12)
        table.note(.idle, of: ids[3], at: 13)
        #expect(try accept(&table, .lan, at: 14).closing == ids[5])
        #expect(try accept(&table, addresses(1), at: 15).closing == nil)
    }

    @Test(arguments: [NetworkAddress.unix, .v4(0x7F00_0001), .v6(high: 0, low: 1)])
    func thisMachine_mayHaveAllConnections(address: NetworkAddress) throws {
        var table = ConnectionTable()
        let own = ConnectionAddresses(local: address, peer: address)
        for _ in 0..<64 {
            let id = try accept(&table, own).id
            table.note(.stream, of: id, at: 1)
        }
        #expect(table.admit(own, at: 2) == .refused)
    }

    @Test func fullTable_closesTheConnectionThatShowedLeast() throws {
        var table = ConnectionTable()
        let stages: [ConnectionTable.Stage] = [.body, .idle, .head, .write, .stream]
        let ids = try (0..<64).map { try accept(&table, addresses($0), at: $0).id }
        for (index, id) in ids.enumerated() {
            table.note(stages[index % 5], of: id, at: 100 + index)
            if index < 10 { table.noteCredential(of: id) }
        }
        let order = [2, 1, 0].flatMap { stage in (10..<64).filter { $0 % 5 == stage } }
        let known = [2, 7, 1, 6, 0, 5]
        for index in order + known {
            let (id, closing) = try accept(&table, addresses(1000 + index), at: 300)
            #expect(closing == ids[index])
            table.note(.write, of: id, at: 301)
        }
        #expect(table.admit(addresses(2000), at: 302) == .refused)
    }

    @Test func byteASecond_gainsNoTime() throws {
        var table = ConnectionTable()
        let id = try accept(&table, .lan, at: 1000).id
        for second in 2...12 { table.note(.head, of: id, at: 1000 * second) }
        #expect(table.nextDeadline == 11_000)
        #expect(table.takeExpired(at: 10_999) == [])
        table.note(.body, of: id, at: 10_000)
        table.note(.body, of: id, at: 20_000)
        #expect(table.nextDeadline == 40_000)
        table.note(.write, of: id, at: 30_000)
        table.note(.write, of: id, at: 35_000)
        #expect(table.nextDeadline == 55_000)
        table.note(.idle, of: id, at: 36_000)
        #expect(table.nextDeadline == 96_000)
        table.note(.stream, of: id, at: 37_000)
        #expect(table.nextDeadline == nil)
        table.note(.write, of: id, at: 38_000)
        #expect(table.takeExpired(at: 58_000) == [id])
        #expect(table.takeExpired(at: 58_000) == [] && table.nextDeadline == nil && table.count == 1)
        table.remove(id)
        #expect(table.count == 0)
    }

    /// A slow second implementation of the limits, over random histories.
    @Test func randomHistories_keepTheLimits() throws {
        var random = SeededRandom(seed: 8)
        for _ in 0..<Thoroughness.pick(20, full: 500) {
            var table = ConnectionTable()
            var open: [ConnectionTable.ID: (peer: NetworkAddress, stage: ConnectionTable.Stage, since: Int)] = [:]
            var now = 0
            for _ in 0..<600 {
                now += Int.random(in: 0...900, using: &random)
                for id in table.takeExpired(at: now) {
                    let found = open.removeValue(forKey: id)
                    let entry = try #require(found)
                    #expect(entry.since + (entry.stage.millisecondsMax ?? .max) <= now)
                    if Bool.random(using: &random) { table.remove(id) }
                }
                let deadlines = open.values.compactMap { entry in entry.stage.millisecondsMax.map { entry.since + $0 } }
                #expect(table.nextDeadline == deadlines.min())
                if Int.random(in: 0..<3, using: &random) > 0 {
                    let peer = addresses(Int.random(in: 0..<12, using: &random))
                    let isFull = open.count == 64 || open.values.filter { $0.peer == peer.peer }.count == 8
                    switch table.admit(peer, at: now) {
                    case .refused: #expect(isFull)
                    case .accepted(let id, let closing):
                        #expect(isFull == (closing != nil))
                        if let closing {
                            let found = open.removeValue(forKey: closing)
                            let entry = try #require(found)
                            #expect(entry.stage != .write && entry.stage != .stream)
                        }
                        open[id] = (peer.peer, .head, now)
                    }
                } else if let (id, entry) = open.randomElement(using: &random) {
                    let stage = ConnectionTable.Stage.allCases.randomElement(using: &random) ?? .idle
                    table.note(stage, of: id, at: now)
                    if stage != entry.stage || stage == .write { open[id] = (entry.peer, stage, now) }
                }
                #expect(
                    open.count <= 64
                        && Dictionary(grouping: open.values, by: \.peer).values.allSatisfy { $0.count <= 8 })
            }
        }
    }
}
