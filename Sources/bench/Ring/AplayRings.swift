// What people use instead: something that starts aplay when it is time.

import Glibc
import JSON
import Sound

/// Rings by aplay, on cards of the same kind.
final class AplayRings {
    /// What waits for the due time.
    enum Starter {
        /// A timer that is exact, as a systemd timer is only when it is told to be. What systemd does then is left out.
        case timer
        /// Python's `schedule`, as its manual has it used: it looks whether something is due, and sleeps for a second.
        case schedule
    }

    /// What the figures are called: systemd is left out, and so is what it would cost beside.
    static let timerName = "aplay-spawned-by-an-exact-timer"
    static let scheduleName = "aplay-spawned-by-python-schedule"

    /// One ring at a time on each.
    private let cards: [MeasuredCard]
    private let folder: RingFolder
    private let starter: Starter

    private static let loop = """
        import datetime, random, schedule, subprocess, sys, time
        due = datetime.datetime.fromtimestamp(int(sys.argv[1]))
        job = schedule.every().day.at(due.strftime("%H:%M:%S")).do(subprocess.run, sys.argv[2:])
        # Nobody starts it at the beginning of a second.
        time.sleep(random.random())
        while job.last_run is None:
            schedule.run_pending()
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
        guard begun.allSatisfy({ $0.process.end() }) else { throw BenchmarkRefusal.wrongAnswer("aplay failed") }
        return begun.enumerated().map { place, ring in Double((heard[place] ?? 0) - ring.due) / 1_000_000 }
    }

    private func begin(_ card: MeasuredCard) throws -> (due: Int, process: ChildProcess) {
        let aplay = ["/usr/bin/aplay", "-q", "-D", card.device, "\(folder.path)/ring.wav"]
        switch starter {
        case .timer:
            let due = bootNanoseconds() + 20_000_000
            sleep(untilNanoseconds: due)
            return (due, try start(aplay))
        case .schedule:
            // It knows whole seconds. Python needs a while to start.
            let second = time(nil) + 5
            let due = bootNanoseconds(atSecondsSince1970: second)
            return (due, try start(["/usr/bin/python3", "\(folder.path)/loop.py", "\(second)"] + aplay))
        }
    }

    private func start(_ words: [String]) throws -> ChildProcess {
        try ChildProcess(words, environment: ["ALSA_CONFIG_PATH": "\(folder.path)/alsa.conf"])
    }
}
