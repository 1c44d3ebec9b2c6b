// A card that records the time of its first audible frame.

import AlsaSpeaker
import FaultyCard
import Glibc

/// A plug-in of ALSA that consumes frames in real time, as a card does. Any process can play on it.
final class MeasuredCard {
    let folder: ScratchFolder
    /// The card's name in ALSA.
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

    /// Writes an ALSA configuration with these cards, for this and other processes. It includes `other`.
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

    /// The time of the first audible frame; nil while the card is silent.
    var firstHeardNanoseconds: Int? { nonzero(control.pointee.first_heard_nanoseconds) }

    var stoppedNanoseconds: Int? { nonzero(control.pointee.stopped_nanoseconds) }

    /// The ways in which a card stops being audible.
    enum Fault {
        case gone
        case stalls
        /// The card consumes too few frames to be heard.
        case trickles
    }

    /// Breaks the card, or mends it if the fault is nil.
    func fail(_ fault: Fault?) {
        control.pointee.write_error = fault == .gone ? ENODEV : 0
        control.pointee.stalls = fault == .stalls ? 1 : 0
        control.pointee.trickles = fault == .trickles ? 1 : 0
    }

    func needToOpen(milliseconds: Int32) { control.pointee.open_milliseconds = milliseconds }

    /// Clears the time of a process that was killed and could not close the card.
    func forgetWhatIsHeard() { control.pointee.first_heard_nanoseconds = 0 }

    var isClosed: Bool { control.pointee.opens == control.pointee.closes }

    private func nonzero(_ time: Int64) -> Int? { time == 0 ? nil : Int(time) }

    /// Waits until `value` returns a value, or throws after ten seconds.
    @discardableResult
    func wait<Value>(for what: String, _ value: () -> Value?) throws -> Value {
        for _ in 0..<20_000 {
            if let value = value() { return value }
            usleep(500)
        }
        throw BenchmarkRefusal.wrongAnswer("waited ten seconds for \(what)")
    }
}
