// The tests of the clients over HTTP: how many are kept, for how long, and what survives a restart.

import Alarms
import CivilTime
import Clients
import Testing

@testable import Engine

@Suite struct PairedClientsTests {
    private static let day = 86_400_000

    private func client(
        _ name: String, _ token: String? = nil, may: Permission = .look, in fixture: EngineFixture
    ) -> PairedClient {
        PairedClient(
            id: name, name: name, kind: .script, may: may, token: SecretHash(token ?? name), day: fixture.engine.today)
    }

    private func fixture() throws -> EngineFixture { try EngineFixture(startedAt: "2026-01-12T06:00:00Z") }

    @Test func rights_includeLesserOnes() {
        #expect(Permission.look < .use && Permission.use < .change && !(Permission.use < .use))
    }

    @Test func client_isKnownByItsToken_untilItIsForgotten() throws {
        var fixture = try fixture()
        let phone = client("phone", in: fixture)
        #expect(fixture.ask(.client(.add(phone))) == .done(.client(.added(phone))))
        #expect(fixture.engine.client(with: SecretHash("phone")) == phone)
        #expect(fixture.engine.client(with: SecretHash("other")) == nil)
        fixture.compact()
        fixture.start()
        #expect(fixture.engine.client(with: SecretHash("phone")) == phone)
        #expect(fixture.ask(.client(.forget("phone"))) == .done(.done))
        #expect(fixture.engine.client(with: SecretHash("phone")) == nil)
        #expect(fixture.ask(.client(.forget("phone")))?.refusal?.code == .noSuchClient)
        fixture.start()
        #expect(fixture.engine.clients.all.isEmpty)
    }

    /// A token is only worth something once it is on the disk.
    @Test func client_thatIsNotDurable_isUnknown() throws {
        var fixture = try fixture()
        fixture.disk = .slow
        #expect(fixture.ask(.client(.add(client("phone", in: fixture)))) == nil)
        #expect(fixture.engine.client(with: SecretHash("phone")) == nil)
        fixture.finishOne()
        #expect(fixture.engine.client(with: SecretHash("phone")) != nil)
    }

    @Test func request_isRecordedOnceADay() throws {
        var fixture = try fixture()
        fixture.ask(.client(.add(client("phone", in: fixture))))
        for _ in 0..<3 { fixture.give(.clientSeen("phone")) }
        #expect(fixture.writtenCount("client_seen") == 0)
        fixture.pass(milliseconds: Self.day)
        for _ in 0..<3 { fixture.give(.clientSeen("phone")) }
        fixture.give(.clientSeen("nobody"))
        #expect(fixture.writtenCount("client_seen") == 1)
        #expect(fixture.engine.clients["phone"]?.day == CivilDate("2026-01-13"))
        // A clock that is set back writes no earlier day.
        fixture.wallMilliseconds -= 3 * Self.day
        fixture.give(.clientSeen("phone"))
        #expect(fixture.writtenCount("client_seen") == 1)
    }

    @Test func client_isUnknown_after400IdleDays() throws {
        var fixture = try fixture()
        fixture.ask(.client(.add(client("phone", in: fixture))))
        fixture.pass(milliseconds: 400 * Self.day)
        fixture.give(.timer)
        #expect(fixture.engine.client(with: SecretHash("phone")) != nil)
        fixture.pass(milliseconds: Self.day)
        fixture.give(.timer)
        #expect(fixture.engine.client(with: SecretHash("phone")) == nil)
        #expect(fixture.engine.knownClients.isEmpty)
        #expect(fixture.ask(.client(.forget("phone")))?.refusal?.code == .noSuchClient)
        // The next client takes the record of the idle one away.
        fixture.ask(.client(.add(client("tablet", in: fixture))))
        #expect(fixture.engine.clients.all.map(\.id) == ["tablet"])
    }

    @Test func clockThatIsNotTrusted_makesNoClientUnknown() throws {
        var fixture = try fixture()
        fixture.ask(.client(.add(client("phone", in: fixture))))
        fixture.isTrusted = false
        fixture.give(.clockTrusted(false))
        fixture.pass(milliseconds: 500 * Self.day)
        fixture.give(.clientSeen("phone"))
        #expect(fixture.engine.client(with: SecretHash("phone"))?.day == CivilDate("2026-01-12"))
    }

    @Test func newClient_replacesTheIdlest_atTheLimit() throws {
        var fixture = try fixture()
        for number in 0..<PairedClients.countMax { fixture.ask(.client(.add(client("c\(number)", in: fixture)))) }
        fixture.pass(milliseconds: Self.day)
        for number in 0..<PairedClients.countMax where number != 7 { fixture.give(.clientSeen("c\(number)")) }
        fixture.ask(.client(.add(client("new", in: fixture))))
        let ids = fixture.engine.clients.all.map(\.id)
        #expect(ids.count == PairedClients.countMax && !ids.contains("c7") && ids.last == "new")
    }

    @Test(arguments: [
        "", " \u{200B}", String(repeating: "a", count: 41), String(repeating: "e\u{301}\u{302}", count: 41),
    ])
    func client_withoutAName_orWithALongOne_isRefused(name: String) throws {
        var fixture = try fixture()
        let refusal = fixture.ask(.client(.add(client(name, in: fixture))))?.refusal
        #expect(refusal?.problems.map(\.path) == ["name"])
    }

    /// The holder of an attempt learns once that it has succeeded.
    @Test func pairedClient_isCollectedOnce() throws {
        var fixture = try fixture()
        let phone = client("phone", in: fixture)
        guard case .done(.client(.opened(let presses, _)))? = fixture.ask(.client(.pair(phone, isKnown: false))) else {
            Issue.record("no attempt is open")
            return
        }
        #expect(fixture.ask(.client(.collect("phone")))?.refusal?.code == .noSuchPairing)
        for button in presses { fixture.press(button) }
        fixture.pass(milliseconds: 2000)
        #expect(fixture.ask(.client(.collect("other")))?.refusal?.code == .noSuchPairing)
        #expect(fixture.ask(.client(.collect("phone"))) == .done(.client(.collected(phone))))
        #expect(fixture.ask(.client(.collect("phone")))?.refusal?.code == .noSuchPairing)
        #expect(fixture.engine.clients["phone"] == phone)
    }

    /// The ends of the last eight attempts are known. A wait never exceeds ten minutes.
    @Test func failedAttempts_areBounded() throws {
        var fixture = try fixture()
        for number in 0..<12 {
            fixture.pass(milliseconds: 600_000)
            fixture.ask(.client(.pair(client("c\(number)", in: fixture), isKnown: false)))
            fixture.pass(milliseconds: 60_000)
        }
        let states = (0..<12).map { fixture.engine.pairingState(of: "c\($0)") }
        #expect(states == Array(repeating: nil, count: 4) + Array(repeating: .expired, count: 8))
        fixture.ask(.client(.invite(SecretHash("secret"))))
        #expect(fixture.engine.isInvited(by: SecretHash("secret")))
        #expect(!fixture.engine.isInvited(by: SecretHash("guess")))
    }

    @Test func backup_containsNoClient_andARestoreKeepsThem() throws {
        var fixture = try fixture()
        fixture.ask(.client(.add(client("phone", "0123456789abcdef", in: fixture))))
        #expect(!"\(fixture.engine.backup)".contains("0123456789abcdef"))
        #expect(fixture.ask(.restore(AlarmsFile(), isBackup: true))?.refusal == nil)
        #expect(fixture.engine.clients["phone"] != nil)
    }
}
