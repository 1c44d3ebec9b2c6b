// The program `roosterd`.

import API
import CLinux
import Configuration
import Glibc
import LinuxDevices
import Service
import System

/// Runs the command line. Returns the exit status.
func run(_ arguments: [String]) -> Int32 {
    do throws(WrongUsage) {
        let command = try DaemonArguments(arguments)
        switch command.task {
        case .showHelp: print(DaemonArguments.help)
        case .showVersion: print("roosterd \(roosterVersion)")
        case .checkConfiguration: return checkConfiguration(ConfigurationReading.ofFile(at: command.configuration))
        case .switchLinesOff: return switchLinesOff(ConfigurationReading.ofFile(at: command.configuration))
        case .serve:
            return serve(command)
        }
        return 0
    } catch {
        complain("roosterd: \(error.text)\n\(DaemonArguments.usage)\n'roosterd --help' explains the options.")
        return 2
    }
}

/// Runs the service until a signal ends it. Returns the exit status.
func serve(_ arguments: DaemonArguments) -> Int32 {
    // With several heaps, a thread that once made a long reply would keep its own. The player's thread
    // allocates nothing, so it never waits for the one heap.
    linux_use_one_heap()
    let reading = ConfigurationReading.ofFile(at: arguments.configuration)
    let log = LogWriter(least: reading.configuration.log.level.least)
    // Signals are blocked before there is a thread that they could end.
    let signals = EndSignals()
    do throws(SystemCallError) {
        try log.start()
    } catch {
        complain("roosterd: Nothing is written to the log (\(error))")
    }
    defer { log.finish() }
    do throws(StartError) {
        let paths = try ServicePaths(arguments, reading.configuration)
        defer { if let problem = paths.removeTemporary() { log.enqueue(LogLine(.warning, problem)) } }
        try Appliance(arguments, reading, paths) { log.enqueue($0) }.run(until: signals)
        return 0
    } catch {
        log.enqueue(LogLine(.error, error.text))
        return 1
    }
}

/// Switches off all configured outputs. Returns the exit status.
func switchLinesOff(_ reading: ConfigurationReading) -> Int32 {
    let failures = reading.configuration.switchOff()
    for failure in failures { complain("roosterd: Not switched off: \(failure)") }
    return failures.isEmpty ? 0 : 1
}

/// Prints all problems of a configuration. Returns the exit status.
func checkConfiguration(_ reading: ConfigurationReading) -> Int32 {
    let missing = reading.configuration.missing.map { "\(reading.path): \($0)" }
    for problem in reading.problems.map(\.description) + missing { complain("roosterd: \(problem)") }
    guard missing.isEmpty, !reading.problems.contains(where: \.isMistake) else { return 1 }
    let verdict = reading.isThere ? "no mistakes" : "no such file, so every option has its default"
    print("\(reading.path): \(verdict)")
    return 0
}

func complain(_ line: String) {
    let bytes = Array("\(line)\n".utf8)
    // A failure of standard error cannot be reported anywhere.
    _ = write(STDERR_FILENO, bytes, bytes.count)
}

let status = run(Array(CommandLine.arguments.dropFirst()))
// Printed text may still be buffered, and writing it may fail.
if fflush(nil) != 0 {
    complain("roosterd: Cannot write to standard output: \(String(cString: strerror(errno)))")
    exit(1)
}
exit(status)
