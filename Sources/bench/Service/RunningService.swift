// A real roosterd.

import Glibc
import Household
import JSON

/// A service that has said that it is ready; it is killed with its owner.
final class ServiceProcess {
    let process: ChildProcess
    /// From its start until it was heard to be ready.
    let readyMilliseconds: Double
    private let home: ServiceHome
    private let notices: Datagrams

    init(in home: ServiceHome) throws {
        self.home = home
        notices = Datagrams(at: home.notifySocket)
        process = try ChildProcess(try home.words(), environment: home.environment, errors: home.log)
        var said = notices.next()
        while let words = said, !words.contains("READY=1") { said = notices.next() }
        guard said != nil else {
            throw BenchmarkRefusal.wrongAnswer("roosterd is not ready: \(ServiceProcess.text(of: home.log))")
        }
        readyMilliseconds = Double(bootNanoseconds() - process.startNanoseconds) / 1_000_000
    }

    /// As a power cut does.
    func kill() { process.kill() }

    /// How often it has said that it is alive since this was asked last, or since it was ready.
    func countFeedings() -> Int {
        var count = 0
        while let words = notices.next(waits: false) { count += words.contains("WATCHDOG=1") ? 1 : 0 }
        return count
    }

    func client() throws -> Client { try Client(of: home.socket) }

    private static func text(of path: String) -> String {
        guard let file = fopen(path, "re") else { return "it said nothing" }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = fread(&bytes, 1, bytes.count, file)
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }
}

extension Client {
    /// Asks for something that has to be done.
    @discardableResult
    func done(_ line: String) throws -> JSON {
        let answer = try ask(line)
        guard answer["ok"] == .bool(true) else { throw BenchmarkRefusal.wrongAnswer("roosterd says \(answer)") }
        return answer
    }
}
