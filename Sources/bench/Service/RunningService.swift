// A real roosterd.

import Glibc
import Loop

/// A service that has said that it is ready; it is killed with its owner.
final class ServiceProcess {
    let process: ChildProcess
    /// From its start until it was heard to be ready.
    let readyMilliseconds: Double
    private let home: ServiceHome
    private let ear: NotifySocket

    init(in home: ServiceHome) throws {
        self.home = home
        ear = try NotifySocket(at: home.notifySocket)
        process = try ChildProcess(try home.words(), environment: home.environment, errors: home.log)
        guard let ready = ear.readyNanoseconds() else {
            throw BenchmarkRefusal.wrongAnswer(
                "roosterd was not ready after ten seconds: \(ServiceProcess.text(of: home.log))")
        }
        readyMilliseconds = Double(ready - process.startNanoseconds) / 1_000_000
    }

    /// As a power cut does.
    func kill() { process.kill() }

    /// How often it has said that it is alive since this was asked last, or since it was ready.
    func countFeedings() -> Int { ear.feedings() }

    func client() throws -> ServiceClient { try ServiceClient(of: home.socket) }

    private static func text(of path: String) -> String {
        guard let file = fopen(path, "re") else { return "it said nothing" }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = fread(&bytes, 1, bytes.count, file)
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }
}

/// Where a service says what systemd would hear.
private final class NotifySocket {
    private let descriptor: Int32

    init(at path: String) throws {
        unlink(path)
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var timeout = timeval(tv_sec: 10, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        guard SocketAddress(path: path)?.with({ bind(descriptor, $0, $1) }) == 0 else {
            throw BenchmarkRefusal.wrongAnswer("cannot listen at \(path): \(String(cString: strerror(errno)))")
        }
    }

    deinit {
        close(descriptor)
    }

    /// When it was told; nothing when it was told nothing for ten seconds.
    func readyNanoseconds() -> Int? {
        while let words = next() {
            let now = bootNanoseconds()
            if words.contains("READY=1") { return now }
        }
        return nil
    }

    /// How often it was told by now that all is well.
    func feedings() -> Int {
        var count = 0
        while let words = next(flags: Int32(MSG_DONTWAIT)) { count += words.contains("WATCHDOG=1") ? 1 : 0 }
        return count
    }

    /// The lines that it is told at once; nothing when nobody tells it anything.
    private func next(flags: Int32 = 0) -> [Substring]? {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = recv(descriptor, &bytes, bytes.count, flags)
        guard count >= 0 else { return nil }
        return String(decoding: bytes.prefix(count), as: UTF8.self).split(separator: "\n")
    }
}
