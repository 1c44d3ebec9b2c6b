// The service's program: reads what it was started with, and does it.

import API
import CLinux
import Configuration
import Glibc
import LinuxDevices
import Service
import System

/// Does what the command line asks for, and answers with the exit status.
func run(_ words: [String]) -> Int32 {
    do throws(WrongUsage) {
        let arguments = try DaemonArguments(words)
        switch arguments.task {
        case .showHelp: print(DaemonArguments.help)
        case .showVersion: print("roosterd \(roosterVersion)")
        case .checkConfiguration: return checkConfiguration(ConfigurationReading.ofFile(at: arguments.configuration))
        case .switchLinesOff: return switchLinesOff(ConfigurationReading.ofFile(at: arguments.configuration))
        case .serve:
            return serve(arguments)
        }
        return 0
    } catch {
        complain("roosterd: \(error.words)\n\(DaemonArguments.usage)\n'roosterd --help' tells more.")
        return 2
    }
}

/// Rings, until it is told to end; answers with the exit status.
func serve(_ arguments: DaemonArguments) -> Int32 {
    // A thread that has made a long answer once would keep a heap of its own for ever. The one that plays allocates nothing.
    linux_use_one_heap()
    let reading = ConfigurationReading.ofFile(at: arguments.configuration)
    let log = LogWriter(least: reading.configuration.log.level.least)
    // Before there is a thread that they could end.
    let signals = EndSignals()
    do throws(SystemCallError) {
        try log.start()
    } catch {
        complain("roosterd: nothing is written to the log: \(error)")
    }
    defer { log.finish() }
    do throws(StartError) {
        let paths = try ServicePaths(arguments, reading.configuration)
        defer { if let problem = paths.removeTemporary() { log.enqueue(LogLine(.warning, problem)) } }
        try Appliance(arguments, reading, paths) { log.enqueue($0) }.run(until: signals)
        return 0
    } catch {
        log.enqueue(LogLine(.error, error.words))
        return 1
    }
}

/// Switches off whatever lines a configuration names as outputs; answers with the exit status.
func switchLinesOff(_ reading: ConfigurationReading) -> Int32 {
    let failures = switchOff(reading.configuration.outputs)
    for failure in failures { complain("roosterd: \(failure)") }
    return failures.isEmpty ? 0 : 1
}

/// Tells all that is wrong with a configuration; answers with the exit status.
func checkConfiguration(_ reading: ConfigurationReading) -> Int32 {
    let missing = reading.configuration.missing.map { "\(reading.path): \($0)" }
    for problem in reading.problems.map(\.description) + missing { complain(problem) }
    guard missing.isEmpty, !reading.problems.contains(where: \.isMistake) else { return 1 }
    let words = reading.isThere ? "no mistakes" : "there is no such file: every option has its default"
    print("\(reading.path): \(words)")
    return 0
}

func complain(_ line: String) {
    let bytes = Array("\(line)\n".utf8)
    // What cannot be said on standard error cannot be said anywhere.
    _ = write(STDERR_FILENO, bytes, bytes.count)
}

let status = run(Array(CommandLine.arguments.dropFirst()))
// What was printed may still be on its way.
if fflush(nil) != 0 {
    complain("roosterd: standard output: \(String(cString: strerror(errno)))")
    exit(1)
}
exit(status)
