// What the kernel counts: about a process, and about a disk.

import Glibc

enum ProcessFigures {
    /// Bytes handed to the kernel by `write` and its kin.
    static func bytesWritten() throws -> Int {
        try figure("wchar:", of: "/proc/self/io")
    }

    /// The memory in use, and the most that was in use since the last `forgetPeak`.
    static func residentBytes() throws -> (now: Int, peak: Int) {
        (try figure("VmRSS:", of: "/proc/self/status") << 10, try figure("VmHWM:", of: "/proc/self/status") << 10)
    }

    static func forgetPeak() throws {
        guard let file = fopen("/proc/self/clear_refs", "w") else {
            throw BenchmarkRefusal.wrongAnswer("the kernel does not forget how much memory was in use")
        }
        fputs("5", file)
        fclose(file)
    }
}

/// How often a process was given the processor, with all threads that it has.
struct Switches {
    /// After it had waited: it was woken.
    var voluntary = 0
    /// It had to let others go first.
    var involuntary = 0
    var threads = 0

    /// From its start on.
    init(of process: pid_t) throws {
        for thread in try names(in: "/proc/\(process)/task") {
            let path = "/proc/\(process)/task/\(thread)/status"
            voluntary += try figure("voluntary_ctxt_switches:", of: path)
            involuntary += try figure("nonvoluntary_ctxt_switches:", of: path)
            threads += 1
        }
    }

    var all: Int { voluntary + involuntary }
}

/// The memory of a process, in bytes.
struct Memory {
    /// What it has, whoever else has it as well.
    var resident: Int
    /// What it has, and its part of what several have.
    var proportional: Int
    /// What nobody else has.
    var unshared: Int

    init(of process: pid_t) throws {
        func bytes(_ name: String) throws -> Int { try figure(name, of: "/proc/\(process)/smaps_rollup") << 10 }
        resident = try bytes("Rss:")
        proportional = try bytes("Pss:")
        unshared = try bytes("Private_Clean:") + bytes("Private_Dirty:")
    }
}

/// The disk, or the part of it, that a file system is on.
struct BlockDevice {
    private let path: String

    /// Nothing where the file system is on no disk, or on several.
    init?(of path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        let device = UInt64(status.st_dev)
        let (major, minor) = (device >> 8 & 0xFFF, device & 0xFF | device >> 12 & 0xFFF00)
        self.path = "/sys/dev/block/\(major):\(minor)/stat"
        guard bytesWritten != nil else { return nil }
    }

    /// What has been sent to it, by anybody. The kernel counts in 512 bytes.
    var bytesWritten: Int? {
        let words = words(ofFileAt: path)
        return words.count > 6 ? Int(words[6]).map { $0 * 512 } : nil
    }
}

private func figure(_ name: String, of path: String) throws -> Int {
    let words = words(ofFileAt: path)
    guard let index = words.firstIndex(where: { $0 == name }), index + 1 < words.count,
        let figure = Int(words[index + 1])
    else { throw BenchmarkRefusal.wrongAnswer("\(path) does not say \(name)") }
    return figure
}

private func words(ofFileAt path: String) -> [Substring] {
    guard let file = fopen(path, "r") else { return [] }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 14)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes.prefix(count), as: UTF8.self).split { $0 == " " || $0 == "\n" || $0 == "\t" }
}

private func names(in path: String) throws -> [String] {
    guard let folder = opendir(path) else {
        throw BenchmarkRefusal.wrongAnswer("\(path) cannot be read: \(String(cString: strerror(errno)))")
    }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
            pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        if !name.hasPrefix(".") { names.append(name) }
    }
    return names
}
