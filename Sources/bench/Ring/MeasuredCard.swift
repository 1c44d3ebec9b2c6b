// A card that says when it was given the first frame that can be heard.

import AlsaSpeaker
import FaultyCard
import Glibc

/// A plug-in of ALSA's own that takes frames as time passes, as a card does, in whichever process plays on it.
final class MeasuredCard {
    let folder: ScratchFolder
    /// ALSA's name of it.
    let device: String
    private let control: UnsafeMutablePointer<faulty_card>

    init(_ device: String, in folder: ScratchFolder) throws {
        (self.device, self.folder) = (device, folder)
        let path = "\(folder.path)/\(device).control"
        let size = MemoryLayout<faulty_card>.size
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        ftruncate(descriptor, off_t(size))
        let memory = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
        close(descriptor)
        guard let memory, memory != MAP_FAILED else { throw BenchmarkRefusal.wrongAnswer("\(path) cannot be mapped") }
        control = memory.bindMemory(to: faulty_card.self, capacity: 1)
    }

    /// What ALSA is to know of some, also in other processes, and beside what it knows from another file.
    @discardableResult
    static func configuration(
        of cards: [MeasuredCard], in folder: ScratchFolder, beside other: String? = nil
    ) throws -> AlsaConfiguration {
        let devices = cards.map { "pcm.\($0.device) { type faulty control \"\(folder.path)/\($0.device).control\" }" }
        let library = try ChildProcess.built("librooster-faulty-card.so")
        let own = ["pcm_type.faulty { lib \"\(library)\" }"] + devices
        let text = ((other.map { ["<\($0)>"] } ?? []) + own).joined(separator: "\n") + "\n"
        try folder.write(text, to: "alsa.conf")
        return try AlsaConfiguration(text)
    }

    deinit {
        munmap(control, MemoryLayout<faulty_card>.size)
    }

    /// When it was first given what can be heard; nothing while it is silent.
    var firstHeardNanoseconds: Int? { nonzero(control.pointee.first_heard_nanoseconds) }

    var stoppedNanoseconds: Int? { nonzero(control.pointee.stopped_nanoseconds) }

    /// In which way it is not heard any more.
    enum Fault {
        case gone
        case stalls
        /// It takes so few that nothing is heard.
        case trickles
    }

    /// What is wrong with it; nothing if all is well again.
    func fail(_ fault: Fault?) {
        control.pointee.write_error = fault == .gone ? ENODEV : 0
        control.pointee.stalls = fault == .stalls ? 1 : 0
        control.pointee.trickles = fault == .trickles ? 1 : 0
    }

    func needToOpen(milliseconds: Int32) { control.pointee.open_milliseconds = milliseconds }

    /// Whoever played on it is gone, and could not say so.
    func forgetWhatIsHeard() { control.pointee.first_heard_nanoseconds = 0 }

    var isClosed: Bool { control.pointee.opens == control.pointee.closes }

    private func nonzero(_ time: Int64) -> Int? { time == 0 ? nil : Int(time) }

    /// Waits until it is so, or refuses to measure.
    @discardableResult
    func wait<Value>(for what: String, _ value: () -> Value?) throws -> Value {
        for _ in 0..<20_000 {
            if let value = value() { return value }
            usleep(500)
        }
        throw BenchmarkRefusal.wrongAnswer("waited ten seconds for \(what)")
    }
}
