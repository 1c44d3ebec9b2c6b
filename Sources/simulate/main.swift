// The command line of `simulate`: nights with faults, in which every promise is checked.

import Glibc
import JSON

let usage = """
    Usage: simulate --nights N [--seed S] [--from NIGHT] [--faults LIST|all|none]
           simulate --exhaustive DEPTH

    Simulates nights with the real engine and journal, a sleeper who sleeps in,
    snoozes and cheats, and faults of every device, and checks every promise of
    docs/PROMISES.md. The same seed gives the same nights on every machine.

      --nights N       the number of nights
      --seed S         the seed of the nights (default: 0)
      --from NIGHT     the number of the first night, to repeat a failure
                       (default: 0)
      --faults LIST    the kinds of event, separated by commas, or all or none
                       (default: all). The kinds are
          \(NightEvent.Kind.allCases.map(\.rawValue).joined(separator: ","))
      --exhaustive DEPTH
                       try every sequence of that many moves instead, from each of
                       a few initial states

    The last line is JSON. The exit status is 1 if a promise was broken, and 2 for
    wrong usage.
    """

func wrong(_ reason: String) -> Never {
    let bytes = Array("simulate: \(reason)\n\(usage)\n".utf8)
    // A failed write is ignored: there is no other place to report it.
    _ = write(STDERR_FILENO, bytes, bytes.count)
    exit(2)
}

var count: Int?
var seed: UInt64 = 0
var first = 0
var faults = Set(NightEvent.Kind.allCases)
var depth: Int?
var arguments = CommandLine.arguments.dropFirst()
while let argument = arguments.popFirst() {
    func value() -> String {
        guard let value = arguments.popFirst() else { wrong("\(argument) needs a value") }
        return value
    }
    func number<Number: FixedWidthInteger>() -> Number {
        let text = value()
        guard let number = Number(text), number >= 0 else {
            wrong("\(argument) must be a number, not \(text.debugDescription)")
        }
        return number
    }
    switch argument {
    case "--nights": count = number()
    case "--seed": seed = number()
    case "--from": first = number()
    case "--exhaustive": depth = number()
    case "--faults":
        let names = value().split(separator: ",")
        if names == ["all"] { continue }
        faults = Set(
            names.filter { $0 != "none" }.map { name in
                guard let kind = NightEvent.Kind(rawValue: String(name)) else {
                    wrong("There is no kind of event \"\(name)\"")
                }
                return kind
            })
    case "-h", "--help":
        print(usage)
        exit(0)
    default: wrong("There is no option \(argument.debugDescription)")
    }
}
if let depth {
    var search = Exhaustive()
    search.run(depth: depth)
    if let failure = search.failure { print(failure) }
    let verdict = search.failure == nil ? "no promise broken" : "a promise broken"
    print("depth \(depth), \(search.stateCount) states, \(search.moveCount) steps, \(verdict)")
    exit(search.failure == nil ? 0 : 1)
}
guard let count else { wrong("Give --nights or --exhaustive") }
guard !first.addingReportingOverflow(count).overflow else { wrong("The number of the last night is too large") }

var simulation = SimulationRun(seed: seed, faults: faults)
simulation.run(count, from: first)
let failure = simulation.failure?.shortened()
if let failure { for line in simulation.lines(of: failure) { print(line) } }
print(simulation.line(with: failure))
exit(failure == nil ? 0 : 1)
