// A card that says when it was given the first frame that can be heard: the same for us and for our peers.

import Devices
import FaultyCard
import Glibc
import LinuxDevices

/// A plug-in of ALSA's own that takes frames as time passes, as a card does, in whichever process plays on it.
final class MeasuredCard {
    let folder: RingFolder
    /// ALSA's name of it.
    let device: String
    private let control: UnsafeMutablePointer<faulty_card>

    init(_ device: String, in folder: RingFolder) throws {
        (self.device, self.folder) = (device, folder)
        let path = "\(folder.path)/\(device).control"
        let size = MemoryLayout<faulty_card>.size
        try folder.write(String(repeating: "\0", count: size), to: "\(device).control")
        let descriptor = open(path, O_RDWR | O_CLOEXEC)
        let memory = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
        close(descriptor)
        guard let memory, memory != MAP_FAILED else { throw Refusal.wrongAnswer("\(path) cannot be mapped") }
        control = memory.bindMemory(to: faulty_card.self, capacity: 1)
    }

    /// What ALSA is to know of some, also in other processes.
    static func configuration(of cards: [MeasuredCard], in folder: RingFolder) throws -> AlsaConfiguration {
        let devices = cards.map { "pcm.\($0.device) { type faulty control \"\(folder.path)/\($0.device).control\" }" }
        let text = (["pcm_type.faulty { lib \"\(try library())\" }"] + devices).joined(separator: "\n") + "\n"
        try folder.write(text, to: "alsa.conf")
        return try AlsaConfiguration(text)
    }

    deinit {
        munmap(control, MemoryLayout<faulty_card>.size)
    }

    /// It is built beside this program.
    private static func library() throws -> String {
        var bytes = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &bytes, bytes.count)
        let program = String(decoding: bytes.prefix(max(count, 0)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        guard let slash = program.lastIndex(of: "/") else { throw Refusal.wrongAnswer("/proc is not there") }
        let path = "\(program[..<slash])/librooster-faulty-card.so"
        guard access(path, R_OK) == 0 else {
            throw Refusal.wrongAnswer("\(path) is not there: 'swift build -c release' builds it with all else")
        }
        return path
    }

    /// When it was first given what can be heard; nothing while it is silent.
    var firstHeardNanoseconds: Int? { nonzero(control.pointee.first_heard_nanoseconds) }

    /// When it was stopped last.
    var stoppedNanoseconds: Int? { nonzero(control.pointee.stopped_nanoseconds) }

    /// It is pulled out, or plugged in again.
    func pull(_ isPulled: Bool) { control.pointee.write_error = isPulled ? ENODEV : 0 }

    var isClosed: Bool { control.pointee.opens == control.pointee.closes }

    private func nonzero(_ time: Int64) -> Int? { time == 0 ? nil : Int(time) }

    /// Waits until it is so, or refuses to measure.
    func wait<Value>(for what: String, _ value: () -> Value?) throws -> Value {
        for _ in 0..<20_000 {
            if let value = value() { return value }
            usleep(500)
        }
        throw Refusal.wrongAnswer("waited ten seconds for \(what)")
    }
}

/// A folder for one run.
final class RingFolder {
    let path = "/tmp/bench-ring-\(getpid())"
    private var names: [String] = []

    init() throws {
        guard mkdir(path, 0o700) == 0 else {
            throw Refusal.wrongAnswer("cannot make \(path): \(String(cString: strerror(errno)))")
        }
    }

    deinit {
        for name in names { unlink("\(path)/\(name)") }
        rmdir(path)
    }

    func write(_ text: String, to name: String) throws { try write(Array(text.utf8), to: name) }

    func write(_ bytes: [UInt8], to name: String) throws {
        let file = fopen("\(path)/\(name)", "we")
        names.append(name)
        guard let file, fwrite(bytes, 1, bytes.count, file) == bytes.count, fclose(file) == 0 else {
            throw Refusal.wrongAnswer("cannot write \(path)/\(name): \(String(cString: strerror(errno)))")
        }
    }
}

/// The clock that nobody sets, in nanoseconds.
func bootNanoseconds() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
}

/// Sleeps until that time, as somebody does who has set a timer.
func sleep(untilNanoseconds end: Int) {
    var time = timespec(tv_sec: end / 1_000_000_000, tv_nsec: end % 1_000_000_000)
    while clock_nanosleep(CLOCK_BOOTTIME, TIMER_ABSTIME, &time, nil) == EINTR {}
}
