// What people use instead: something that starts aplay when it is time.

import Devices
import Glibc

/// Rings by aplay, on cards of the same kind.
final class AplayRings {
    /// What waits for the due time.
    enum Starter {
        /// A timer that is exact, as a systemd timer is only when it is told to be. What systemd does then is left out.
        case timer
        /// A loop as the manual of Python's `schedule` shows it: it looks whether something is due, and sleeps for a second.
        case pythonLoop
    }

    /// What the figures are called: systemd and the library are left out, and so is what these would cost beside.
    static let timerName = "aplay-spawned-by-an-exact-timer"
    static let loopName = "aplay-spawned-by-a-python-loop-that-sleeps-a-second"

    /// One ring at a time on each.
    private let cards: [MeasuredCard]
    private let folder: RingFolder
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

    /// Rings on these, which ALSA knows by the configuration in that folder.
    init(_ cards: [MeasuredCard], in folder: RingFolder, startedBy starter: Starter) throws {
        (self.cards, self.folder, self.starter) = (cards, folder, starter)
        let samples = BuiltInSound.standard.samples()
        // A part of a second is enough: only its beginning counts.
        let both = samples.values.prefix(9600).flatMap { [$0, $0] }
        var file = Samples(values: both, rate: 48_000).waveFile
        // Two channels, and so twice as many bytes a frame and a second.
        file[22] = 2
        file[32] = 4
        file.replaceSubrange(28..<32, with: withUnsafeBytes(of: UInt32(192_000).littleEndian, Array.init))
        try folder.write(file, to: "ring.wav")
        try folder.write(AplayRings.loop, to: "loop.py")
    }

    /// At least so many rings.
    func measured(_ count: Int, name: String) throws -> Measurement {
        var samples: [Double] = []
        while samples.count < count { samples += try rings() }
        return Measurement(name: name, unit: "ms", samples: samples)
    }

    /// A ring on each card, and how many milliseconds after its due time each was heard.
    private func rings() throws -> [Double] {
        let begun = try cards.map(begin)
        var heard: [Int: Int] = [:]
        try cards[0].wait(for: "aplay's first frames") {
            for (place, card) in cards.enumerated() { heard[place] = heard[place] ?? card.firstHeardNanoseconds }
            return heard.count == cards.count ? true : nil
        }
        guard begun.allSatisfy({ $0.process.end() }) else { throw Refusal.wrongAnswer("aplay failed") }
        return begun.enumerated().map { place, ring in Double((heard[place] ?? 0) - ring.due) / 1_000_000 }
    }

    private func begin(_ card: MeasuredCard) throws -> (due: Int, process: ChildProcess) {
        let aplay = ["/usr/bin/aplay", "-q", "-D", card.device, "\(folder.path)/ring.wav"]
        switch starter {
        case .timer:
            let due = bootNanoseconds() + 20_000_000
            sleep(untilNanoseconds: due)
            return (due, try start(aplay))
        case .pythonLoop:
            // Long enough for Python to have started, and not in step with its loop.
            let due = bootNanoseconds() + Int.random(in: 200_000_000...1_200_000_000)
            let seconds = "\(Double(due) / 1_000_000_000)"
            return (due, try start(["/usr/bin/python3", "\(folder.path)/loop.py", seconds] + aplay))
        }
    }

    private func start(_ words: [String]) throws -> ChildProcess {
        try ChildProcess(words, environment: ["ALSA_CONFIG_PATH": "\(folder.path)/alsa.conf"])
    }
}
