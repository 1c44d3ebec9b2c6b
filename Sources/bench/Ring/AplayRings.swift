// What people use instead: something that starts aplay when it is time.

import Devices
import Glibc

/// Rings by aplay, on the same card.
final class AplayRings {
    /// What waits for the due time.
    enum Starter {
        /// A timer that is exact, as a systemd timer is only when it is told to be. What systemd does then is left out.
        case timer
        /// A loop as the manual of Python's `schedule` shows it: it looks whether something is due, and sleeps for a second.
        case pythonLoop
    }

    private let card: MeasuredCard
    private let starter: Starter

    private static let loop = """
        import subprocess, sys, time
        due = float(sys.argv[1])
        print("ready", flush=True)
        while True:
            if time.clock_gettime(time.CLOCK_BOOTTIME) >= due:
                subprocess.run(sys.argv[2:])
                break
            time.sleep(1)

        """

    init(_ card: MeasuredCard, startedBy starter: Starter) throws {
        self.card = card
        self.starter = starter
        let samples = BuiltInSound.standard.samples()
        // A part of a second is enough: only its beginning counts.
        let both = samples.values.prefix(9600).flatMap { [$0, $0] }
        var file = Samples(values: both, rate: 48_000).waveFile
        // Two channels, and so twice as many bytes a frame and a second.
        file[22] = 2
        file[32] = 4
        file.replaceSubrange(28..<32, with: withUnsafeBytes(of: UInt32(192_000).littleEndian, Array.init))
        try card.folder.write(file, to: "ring.wav")
        try card.folder.write(AplayRings.loop, to: "loop.py")
    }

    func measured(_ count: Int, name: String) throws -> Measurement {
        let samples = try (0..<count).map { _ in try ring() }
        return Measurement(name: name, unit: "ms", samples: samples)
    }

    private func ring() throws -> Double {
        let aplay = ["/usr/bin/aplay", "-q", "-D", card.device, "\(card.folder.path)/ring.wav"]
        let due: Int
        let process: ChildProcess
        switch starter {
        case .timer:
            due = bootNanoseconds() + 20_000_000
            sleep(untilNanoseconds: due)
            process = try start(aplay)
        case .pythonLoop:
            // Long enough for Python to have started, and not in step with its loop.
            due = bootNanoseconds() + Int.random(in: 200_000_000...1_200_000_000)
            let seconds = "\(Double(due) / 1_000_000_000)"
            process = try start(["/usr/bin/python3", "\(card.folder.path)/loop.py", seconds] + aplay)
        }
        let heard = try card.wait(for: "aplay's first frame") { card.firstHeardNanoseconds }
        guard process.end() else { throw Refusal.wrongAnswer("aplay failed") }
        return Double(heard - due) / 1_000_000
    }

    private func start(_ words: [String]) throws -> ChildProcess {
        try ChildProcess(words, environment: ["ALSA_CONFIG_PATH": "\(card.folder.path)/alsa.conf"])
    }
}
