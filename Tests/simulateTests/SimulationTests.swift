// The tests of nights with random faults: the promises hold, and each planted defect is found.

import Engine
import JSON
import Oracles
import Testing

@testable import simulate

@Suite struct SimulationTests {
    static let all = Set(NightEvent.Kind.allCases)
    static let nights: SimulationRun = {
        var simulation = SimulationRun(seed: 1, faults: all)
        simulation.run(Thoroughness.pick(500, full: 5000))
        return simulation
    }()

    @Test func promises_areKept() {
        let failure = Self.nights.failure?.shortened()
        #expect(failure == nil, "night \(failure?.night.number ?? 0): \(failure?.violation ?? "")")
        #expect(Self.nights.rings > Self.nights.nights)
        #expect(Self.nights.checked > Self.nights.nights)
        #expect(Self.nights.excused * 20 <= Self.nights.checked, "\(Self.nights.excused) rings are not checked")
    }

    @Test func promises_areKept_withoutFaults() {
        var simulation = SimulationRun(seed: 2, faults: [])
        simulation.run(Thoroughness.pick(100, full: 1000))
        #expect(simulation.failure?.violation == nil)
        #expect(simulation.excused == 0)
    }

    /// Nights that the checker once wrongly reported. 8138: a press is reported after the machine slept, and
    /// counts from its own time. 47195: the machine sleeps while a one-time alarm is written. The alarm is
    /// missed when it is durable. 47720: an alarm is edited by an untrusted clock. Once the clock is set, it
    /// counts from the real time of the edit.
    @Test(arguments: [8138, 47_195, 47_720]) func knownNight_keepsThePromises(number: Int) {
        var simulation = SimulationRun(seed: 1, faults: Self.all)
        simulation.run(1, from: number)
        #expect(simulation.failure?.violation == nil)
    }

    @Test(arguments: PlantedDefect.all) func plantedDefect_isFound(planted: PlantedDefect) {
        let failure = planted.search().failure
        let isFound = failure.map { planted.promises.contains($0.promise) } == true
        #expect(isFound, "\(planted.name): \(failure?.violation ?? "not found")")
    }

    /// If no defect breaks a promise, no test shows that its check works.
    @Test func eachPromise_isBrokenByAPlantedDefect() {
        #expect(Set(PlantedDefect.all.flatMap(\.promises)) == Set(Promise.allCases))
    }

    @Test func nights_areTheSame_forTheSameSeed() {
        var one = SimulationRun(seed: 7, faults: Self.all)
        var other = SimulationRun(seed: 7, faults: Self.all)
        one.run(30)
        other.run(30)
        #expect(one.trace == other.trace)
        var third = SimulationRun(seed: 8, faults: Self.all)
        third.run(30)
        #expect(one.trace != third.trace)
    }

    /// The report names the options that reproduce the night.
    @Test func failure_isReported_withTheOptionsToRepeatIt() throws {
        let planted = try #require(PlantedDefect.all.first)
        let simulation = planted.search()
        let failure = try #require(simulation.failure)
        let lines = simulation.lines(of: failure)
        let number = failure.night.number
        #expect(lines.first == "Night \(number) of seed 1 broke \(failure.violation)")
        #expect(lines.last == "To repeat it: simulate --nights 1 --seed 1 --from \(number) --faults all")
        #expect(
            lines.count == 6 + failure.night.alarms.count + failure.night.events.count + failure.lastInputs.count)
        guard case .object(let members) = try JSON(parsing: Array(simulation.line(with: failure).utf8)) else {
            return #expect(Bool(false), "the last line is no object")
        }
        let said = Dictionary(members.map { ($0.name, $0.value) }) { $1 }
        #expect(said["violations"] == .number("1") && said["night"] == .number("\(number)"))
        var again = SimulationRun(seed: 1, faults: Self.all)
        again.run(1, from: number, defect: planted.make)
        #expect(again.failure?.violation == failure.violation)
    }

    @Test func shortenedFailure_stillFails() throws {
        let planted = try #require(PlantedDefect.all.first)
        let simulation = planted.search()
        let failure = try #require(simulation.failure)
        let shortened = failure.shortened(defect: planted.make)
        #expect(shortened.night.events.count < failure.night.events.count)
        // No event of the shortened night can be removed.
        let again = shortened.shortened(defect: planted.make)
        #expect(again.night.events.count == shortened.night.events.count)
        #expect(again.night.alarms.count == shortened.night.alarms.count)
        #expect(shortened.promise == failure.promise)
        // This defect loses data at a restart, so one must remain.
        #expect(
            shortened.night.events.contains {
                let event = if case .during(_, let event) = $0.1 { event } else { $0.1 }
                return switch event {
                case .crash, .powerCut, .configuration: true
                default: false
                }
            })
    }
}
