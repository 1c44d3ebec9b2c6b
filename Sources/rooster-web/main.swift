// The program `rooster-web`.

import API
import CLinux
import EventLoop
import Glibc
import HTTP
import System
import WebServer

/// Serves until a signal, or until some minutes after the last client. Returns the exit status.
func serve(_ arguments: WebArguments) -> Int32 {
    linux_use_one_heap()
    let signals = EndSignals()
    do {
        let listeners = try Listener.all(arguments)
        let loop = try EventLoop()
        let link = ServiceLink(to: arguments.socket, on: loop)
        let gate = RequestGate(hosts: HostPolicy(hostName: hostName(), listed: arguments.names))
        let page = PageFiles(in: arguments.page)
        let idle = IdleEnd(on: loop, isUsed: arguments.listen.isEmpty)
        let server = WebServer(
            listeners, gate, APIHandler(link, page), on: loop, content: { page.content($0) },
            occupied: { idle.isOccupied($0) })
        try loop.start(named: "web")
        Task(executorPreference: loop) {
            do { try await server.open() } catch {
                complain("rooster-web: \(error)")
                kill(getpid(), SIGTERM)
            }
        }
        for listener in listeners {
            complain("Listening on \(listener.name)")
        }
        signals.wait()
        Task(executorPreference: loop) {
            await server.close()
            loop.end()
        }
        return loop.waitUntilEnded(milliseconds: 2000) ? 0 : 1
    } catch {
        complain("rooster-web: \(error)")
        return 1
    }
}

/// Runs the command line. Returns the exit status.
func run(_ arguments: [String]) -> Int32 {
    do throws(WrongUsage) {
        let arguments = try WebArguments(arguments)
        switch arguments.mode {
        case .showHelp: print(WebArguments.help)
        case .showVersion: print("rooster-web \(roosterVersion)")
        case .serve: return serve(arguments)
        }
        return 0
    } catch {
        complain("rooster-web: \(error.text)\n\(WebArguments.usage)\n'rooster-web --help' explains the options.")
        return 2
    }
}

func complain(_ line: String) {
    let bytes = Array("\(line)\n".utf8)
    // A failure of standard error cannot be reported anywhere.
    _ = write(STDERR_FILENO, bytes, bytes.count)
}

func hostName() -> String {
    var name = [CChar](repeating: 0, count: 256)
    gethostname(&name, name.count - 1)
    return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}

exit(run(Array(CommandLine.arguments.dropFirst())))
