// A temporary folder.

import CLinux
import Glibc

/// A folder for one run. The default is the working directory, because `/tmp` is often in memory.
final class ScratchFolder {
    let path: String

    init(in directory: String = ".") throws {
        path = "\(directory)/bench-\(getpid())-\(UInt32.random(in: 0...UInt32.max))"
        guard mkdir(path, 0o700) == 0 else {
            throw BenchmarkRefusal.wrongAnswer("cannot create \(path): \(String(cString: strerror(errno)))")
        }
    }

    deinit {
        if linux_remove_all(path) != 0 { remark("Cannot remove \(path): \(String(cString: strerror(errno)))") }
    }

    func write(_ text: String, to name: String) throws {
        let file = fopen("\(path)/\(name)", "we")
        guard let file, fputs(text, file) >= 0, fclose(file) == 0 else {
            throw BenchmarkRefusal.wrongAnswer("cannot write \(path)/\(name): \(String(cString: strerror(errno)))")
        }
    }
}
