// A run of many nights, and its result.

import Dispatch
import Engine
import Journal
import Synchronization
import Text

struct SimulationRun {
    let seed: UInt64
    let faults: Set<NightEvent.Kind>
    private(set) var nights = 0
    private(set) var rings = 0
    /// The number of announced rings that rang or were missed.
    private(set) var checked = 0
    /// The number of announced rings that neither rang nor were missed, for an accepted reason.
    private(set) var excused = 0
    private(set) var trace: UInt64 = 0
    /// All transitions between phases that sessions made.
    private(set) var steps: Set<SessionStep> = []
    private(set) var failure: Failure?

    struct Failure: Sendable {
        var night: Night
        var promise: Promise
        var violation: String
        var lastInputs: ArraySlice<String>

        static let eventsMax = 30
    }

    /// Runs `count` nights, or fewer if a promise is broken. Nights run in parallel, but count in their
    /// order. The batches grow from 4 to 1024 nights. If an early night fails, few nights of its batch are
    /// wasted. Later, no processor waits long for another's night.
    mutating func run(_ count: Int, from first: Int = 0, defect: (@Sendable () -> Defect)? = nil) {
        var next = first
        while next < first + count, failure == nil {
            let numbers = next..<min(next + min(max(nights, 4), 1024), first + count)
            let (seed, faults) = (seed, faults)
            let outcomes = Mutex<[Int: SimulationRun]>([:])
            DispatchQueue.concurrentPerform(iterations: numbers.count) { index in
                let number = numbers.lowerBound + index
                let outcome = SimulationRun(
                    of: Night(seed: seed, number: number, faults: faults), faults: faults, defect)
                outcomes.withLock { $0[number] = outcome }
            }
            for number in numbers where failure == nil {
                if let outcome = outcomes.withLock({ $0[number] }) { add(outcome) }
            }
            next = numbers.upperBound
        }
    }

    private mutating func add(_ outcome: SimulationRun) {
        nights += outcome.nights
        rings += outcome.rings
        checked += outcome.checked
        excused += outcome.excused
        steps.formUnion(outcome.steps)
        trace = trace &* 31 &+ outcome.trace
        failure = outcome.failure
    }
}

extension SimulationRun {
    /// Runs a single night. If it breaks a promise, runs it again and keeps its last events.
    private init(of night: Night, faults: Set<NightEvent.Kind>, _ defect: (@Sendable () -> Defect)?) {
        var simulation = Simulation(night, defect: defect?())
        simulation.run()
        if simulation.checker.violation != nil {
            simulation = Simulation(night, defect: defect?(), keepsEvents: true)
            simulation.run()
        }
        let checker = simulation.checker
        self.init(
            seed: night.seed, faults: faults, nights: 1, rings: checker.sessions.beganCount,
            checked: checker.rings.checkedCount, excused: checker.rings.excusedCount,
            trace: simulation.trace.value,
            steps: checker.sessions.steps,
            failure: checker.violation.map { promise, text in
                Failure(
                    night: night, promise: promise, violation: text,
                    lastInputs: (simulation.lastEvents ?? []).suffix(Failure.eventsMax))
            })
    }
}

extension SimulationRun.Failure {
    /// Returns the same failure with as few alarms and events as still break the same promise.
    func shortened(defect: (@Sendable () -> Defect)? = nil) -> SimulationRun.Failure {
        var best = self
        var isShorter = true
        while isShorter {
            isShorter = false
            for leaveOut in best.night.parts.reversed() {
                var night = best.night
                leaveOut(&night)
                let failure = SimulationRun(of: night, faults: [], defect).failure
                guard let failure, failure.promise == best.promise else { continue }
                (best, isShorter) = (failure, true)
            }
        }
        return best
    }
}

extension Night {
    /// The functions that remove one alarm or event each. None moves the parts before it.
    fileprivate var parts: [(inout Night) -> Void] {
        alarms.indices.map { index in { $0.alarms.remove(at: index) } }
            + events.indices.map { index in { $0.events.remove(at: index) } }
    }
}

extension SimulationRun {
    private var kinds: [String] { NightEvent.Kind.allCases.filter(faults.contains).map(\.rawValue) }

    /// Returns the report of a shortened failure, with the command that repeats it.
    func lines(of failure: Failure) -> [String] {
        let isAll = faults.count == NightEvent.Kind.allCases.count
        let list = isAll ? "all" : kinds.isEmpty ? "none" : kinds.joined(separator: ",")
        var lines = ["Night \(failure.night.number) of seed \(seed) broke \(failure.violation)"]
        lines += ["The promise: \(failure.promise.sentence)", "The alarms:"]
        lines += failure.night.alarms.map { "  \($0.json)" }
        lines.append("The fewest events that break it:")
        lines += failure.night.events.map { at, event in "  \(at) ms: \(event)" }
        lines.append("The last inputs:")
        lines += failure.lastInputs.map { "  \($0)" }
        lines.append("To repeat it: simulate --nights 1 --seed \(seed) --from \(failure.night.number) --faults \(list)")
        return lines
    }

    /// Returns the last line of the output, for scripts.
    func line(with failure: Failure?) -> String {
        let names = kinds.map { "\"\($0)\"" }.joined(separator: ",")
        let broken = failure.map { failure in
            ",\"night\":\(failure.night.number),\"broke\":\"\(failure.violation.filter { $0 != "\"" })\""
        }
        return "{\"nights\":\(nights),\"seed\":\(seed),\"faults\":[\(names)],\"rings\":\(rings),"
            + "\"checked\":\(checked),\"excused\":\(excused),\"trace\":\"\(String(trace, radix: 16))\",\"violations\":\(failure == nil ? 0 : 1)\(broken ?? "")}"
    }
}

/// A checksum (FNV-1a) of all effects and their times.
struct Trace {
    private var hash = FNV1a()
    var value: UInt64 { hash.value }

    mutating func add(_ effect: Effect, at milliseconds: Int) {
        add(milliseconds)
        switch effect {
        case .sound(let order): if let order { add("\(order.occurrence) \(order.ring.sound) \(order.rampStartUptime)") }
        case .wake(let wake): add(wake.next.wallMilliseconds ?? wake.next.uptimeMilliseconds ?? -1)
        case .reply(let reply, let request):
            if case .refused(let refusal) = reply { add("\(request.id) \(refusal.code.rawValue)") }
        // The time is enough for the other effects: the records have their contents.
        default: break
        }
    }

    mutating func add(_ records: [NewRecord]) {
        for record in records {
            add(Int(record.kind.rawValue))
            add(Int(record.millisecondsSince1970))
            hash.combine(record.payload)
        }
    }

    private mutating func add(_ text: String) { hash.combine(text.utf8) }

    private mutating func add(_ number: Int) { hash.combine(UInt64(truncatingIfNeeded: number)) }
}
