// A place for what is no record: configurations, sockets, memory that is shared.

import Glibc

/// A folder for one run.
final class RingFolder {
    let path = "/tmp/bench-\(getpid())-\(UInt32.random(in: 0...UInt32.max))"
    private var names: [String] = []

    init() throws {
        guard mkdir(path, 0o700) == 0 else {
            throw BenchmarkRefusal.wrongAnswer("cannot make \(path): \(String(cString: strerror(errno)))")
        }
    }

    deinit {
        for name in names { unlink("\(path)/\(name)") }
        rmdir(path)
    }

    func write(_ text: String, to name: String) throws { try write(Array(text.utf8), to: name) }

    func write(_ bytes: [UInt8], to name: String) throws {
        let file = fopen(self.path(of: name), "we")
        guard let file, fwrite(bytes, 1, bytes.count, file) == bytes.count, fclose(file) == 0 else {
            throw BenchmarkRefusal.wrongAnswer("cannot write \(path)/\(name): \(String(cString: strerror(errno)))")
        }
    }

    /// Where something is that others will make; it goes with the folder.
    func path(of name: String) -> String {
        names.append(name)
        return "\(path)/\(name)"
    }
}
