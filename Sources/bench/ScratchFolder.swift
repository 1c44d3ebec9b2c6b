// A place on a real disk, for one run.

import CLinux
import Glibc

/// A directory for one run, in the working directory: `/tmp` is often no disk at all.
final class ScratchFolder {
    let path = "bench-\(getpid())-\(UInt32.random(in: 0...UInt32.max))"

    init() throws {
        guard mkdir(path, 0o700) == 0 else {
            throw BenchmarkRefusal.wrongAnswer("cannot make \(path): \(String(cString: strerror(errno)))")
        }
    }

    deinit {
        if linux_remove_all(path) != 0 { remark("\(path) is left behind: \(String(cString: strerror(errno)))") }
    }
}
