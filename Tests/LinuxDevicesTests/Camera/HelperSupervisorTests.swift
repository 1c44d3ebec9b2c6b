// The tests of the camera helper's start and end, step by step, without a process.

import Devices
import Oracles
import Testing

@testable import LinuxDevices

@Suite struct HelperSupervisorTests {
    private var life = HelperSupervisor(HelperTimeouts())
    private static let order = CameraOrder.read([.qr])
    private static let told = HelperSupervisor.HelperAction.send(.read([.qr], previews: false))

    private func packet(_ report: CameraReport) throws -> [UInt8] {
        try #require(HelperMessage.report(report).packet)
    }

    private func frame(at uptime: Int) throws -> [UInt8] { try packet(.frame(CameraFrame(takenUptime: uptime))) }

    @Test mutating func order_startsTheHelper_andOffEndsIt() {
        #expect(life.order(Self.order, at: 0) == [.start, Self.told])
        #expect(life.order(Self.order, at: 1).isEmpty)
        #expect(life.order(.off, at: 10) == [.hangUp])
        #expect(life.deadline == 1010)
        #expect(life.processEnded("has ended", at: 20).isEmpty)
        #expect(life.isOff && life.deadline == nil)
    }

    @Test mutating func helperWantedAgainWhileItEnds_isStartedAfterItsEnd() {
        _ = life.order(Self.order, at: 0)
        _ = life.order(.off, at: 10)
        #expect(life.order(Self.order, at: 11).isEmpty)
        #expect(life.processEnded("has ended", at: 20) == [.start, Self.told])
    }

    @Test mutating func pauses_growFromTheThirdFailure_andAreShortForAProvenHelper() throws {
        _ = life.order(Self.order, at: 0)
        var (uptime, pauses) = (0, [Int]())
        for _ in 0..<8 {
            _ = life.processEnded("has crashed", at: uptime)
            let deadline = try #require(life.deadline)
            pauses.append(deadline - uptime)
            #expect(life.tick(at: deadline - 1).isEmpty)
            #expect(life.tick(at: deadline) == [.start, Self.told])
            uptime = deadline
        }
        #expect(pauses == [250, 500, 1000, 2000, 4000, 5000, 5000, 5000])
        _ = life.receive(try packet(.opened(name: "c")), at: uptime)
        for time in stride(from: uptime, through: uptime + 10_000, by: 500) {
            _ = life.receive(try frame(at: time), at: time)
        }
        _ = life.processEnded("has crashed", at: uptime + 10_000)
        #expect(life.deadline == uptime + 10_250)
    }

    @Test mutating func silentHelper_isEndedWithin2Seconds() throws {
        _ = life.order(Self.order, at: 0)
        #expect(life.deadline == 5000)
        _ = life.receive(HelperMessage.heartbeat.packet, at: 100)
        #expect(life.deadline == 2100)
        #expect(life.tick(at: 2100) == [.report(.failed(.reader(reason: "does not answer"))), .hangUp, .kill])
        _ = life.processEnded("was killed", at: 2110)
        #expect(life.deadline == 2360)
    }

    @Test mutating func heartbeatsWithoutFrames_areAFailure() {
        _ = life.order(Self.order, at: 0)
        for time in stride(from: 0, to: 10_000, by: 500) { _ = life.receive(HelperMessage.heartbeat.packet, at: time) }
        #expect(life.deadline == 10_000)
        #expect(life.tick(at: 10_000).first == .report(.failed(.reader(reason: "sends no pictures"))))
    }

    @Test mutating func unkillableHelper_isReported_andAwaited() {
        _ = life.order(Self.order, at: 0)
        _ = life.tick(at: 5000)
        #expect(life.tick(at: 7000) == [.report(.failed(.reader(reason: "hangs in the driver")))])
        #expect(life.deadline == nil)
        #expect(life.order(.off, at: 8000).isEmpty)
        #expect(life.order(Self.order, at: 8001).isEmpty)
        #expect(life.processEnded("was killed", at: 60_000) == [.start, Self.told])
    }

    @Test mutating func newCamera_isUsedAtOnce() {
        _ = life.order(Self.order, at: 0)
        #expect(life.cameraMissing(at: 0) == [.report(.failed(.none))])
        #expect(life.camerasChanged(at: 5) == [.start, Self.told])
        #expect(life.camerasChanged(at: 6).isEmpty)
    }

    /// The supervisor passes on at most thirty messages a second, even if they arrive all at once.
    @Test mutating func messages_beyond30InASecond_areDropped() throws {
        _ = life.order(Self.order, at: 0)
        _ = life.receive(try packet(.opened(name: "c")), at: 1000)
        var reports = 1
        for _ in 0..<100 { reports += life.receive(try frame(at: 1000), at: 1000).count }
        #expect(reports == 30)
        #expect(life.receive(try frame(at: 2000), at: 2000).count == 1)
    }

    @Test mutating func framesFromBeforeTheOrder_areDropped() throws {
        _ = life.order(Self.order, at: 10_000)
        _ = life.receive(try packet(.opened(name: "c")), at: 10_000)
        #expect(life.receive(try frame(at: 7000), at: 10_001).isEmpty)
        #expect(life.receive(try frame(at: .max), at: 10_002) == [.report(.frame(CameraFrame(takenUptime: 10_002)))])
        #expect(life.receive(try frame(at: 10_001), at: 10_003).isEmpty)
    }

    @Test mutating func previews_areLimitedToTwoASecond() throws {
        _ = life.order(.read([.qr], previews: true), at: 0)
        let preview = try packet(.preview([0xFF, 0xD8, 0xFF, 0xD9]))
        let count = try stride(from: 0, to: 2000, by: 50).reduce(0) { count, time in
            if time == 0 { _ = life.receive(try packet(.opened(name: "c")), at: 0) }
            return count + life.receive(preview, at: time).count
        }
        #expect(count == 4 || count == 5)
    }

    /// In any history at most one helper runs, none runs unwanted after the wait for its end, and a running
    /// one always has a deadline.
    @Test mutating func randomHistories_runAtMostOneHelper() throws {
        var random = SeededRandom(seed: 27)
        let packets: [[UInt8]?] = [
            nil, [1, 2, 3], HelperMessage.heartbeat.packet, try packet(.opened(name: "c")), try packet(.failed(.none)),
        ]
        for _ in 0..<Thoroughness.pick(300, full: 30_000) {
            var (life, uptime, isRunning, isWanted) = (HelperSupervisor(HelperTimeouts()), 0, false, false)
            for _ in 0..<200 {
                uptime += [0, 1, 100, 2500].randomElement(using: &random) ?? 0
                let acts: [HelperSupervisor.HelperAction]
                switch Int.random(in: 0..<6, using: &random) {
                case 0:
                    isWanted = Bool.random(using: &random)
                    acts = life.order(isWanted ? .read([.qr]) : .off, at: uptime)
                case 1 where isRunning:
                    isRunning = false
                    acts = life.processEnded("has ended", at: uptime)
                case 2: acts = life.tick(at: uptime)
                case 3: acts = life.camerasChanged(at: uptime)
                case 4 where isRunning: acts = life.receive(try frame(at: uptime), at: uptime)
                default:
                    acts = isRunning ? life.receive(packets.randomElement(using: &random) ?? nil, at: uptime) : []
                }
                for act in acts where act == .start {
                    #expect(!isRunning && isWanted)
                    isRunning = true
                }
                #expect(!life.isOff || !isRunning)
                #expect(isWanted || !acts.contains(.start))
                #expect(!isWanted || isRunning || life.deadline != nil)
            }
        }
    }
}
