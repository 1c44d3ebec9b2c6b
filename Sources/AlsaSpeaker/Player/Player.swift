// The player that keeps a card fed in small steps, without a thread or clock: its caller passes the time.

import Glibc
import Sound

/// Feeds an open card with silence or a sound.
///
/// While the card is silent, two periods or 20 ms are queued, because a new sound waits behind the queue. A
/// shorter queue fails on some cards. A card may consume a whole period at once, and a sound server or USB
/// does not give frames back. (`snd_pcm_rewind` considers ALSA's buffer only, not the frames in transit.)
/// A card that underruns gets a longer queue.
final class Player {
    private let stream: CardStream
    private var renderer: Renderer?
    private var start: SoundStart?
    /// The sound that replaces the current one at the next frame.
    private var next: PlayedSound?
    private let bytes: UnsafeMutableRawBufferPointer
    /// The frames that are queued while the card is silent, and while it plays a sound.
    private var silentQueueFrames: Int
    private var soundQueueFrames: Int
    /// The number of next frames that are muted, while the sound continues behind them.
    private var gapFrames = 0
    private var isStarted = false
    private(set) var isAsleep = false
    /// The frames written since the card was opened, without those that were taken back.
    private var writtenFrames = 0
    private var queuedFrames = 0
    /// The start of the pacing period. Null and file devices would accept unlimited frames.
    private var paceUptime: Double?
    private var paceFrames = 0
    private(set) var firstHeardFrame: Int?

    private enum Time {
        static let silentQueue = 20.0
        static let soundQueue = 60.0
        /// The interval between attempts to resume a card.
        static let wakingUp = 20.0
        static let longestTurn = 25.0
        static let gap = 150.0
        /// No card's clock runs faster than the system's by more than this factor.
        static let paceMax = 1.005
    }

    /// The pause after an error. With no pause, a card that fails every time would use up the CPU.
    static let pauseAfterError = 1.0

    init(_ stream: CardStream) {
        self.stream = stream
        let rate = Double(stream.format.rate)
        func queue(_ milliseconds: Double, periods: Int) -> Int {
            min(stream.bufferFrames, max(Int(milliseconds * rate / 1000), periods * stream.periodFrames))
        }
        silentQueueFrames = queue(Time.silentQueue, periods: 2)
        soundQueueFrames = queue(Time.soundQueue, periods: 3)
        bytes = .allocate(byteCount: stream.periodFrames * stream.format.frameBytes, alignment: 16)
    }

    deinit {
        bytes.deallocate()
    }

    var format: FrameFormat { stream.format }

    /// The number of frames that the card has consumed. The card plays only if this grows.
    var takenFrames: Int { writtenFrames - queuedFrames }

    func play(_ sound: PlayedSound) {
        next = sound
        if firstHeardFrame == nil { firstHeardFrame = writtenFrames }
    }

    /// Mutes the sound for 150 ms: long enough not to be taken for a stutter.
    func interrupt() {
        if !isSilent { gapFrames = Int(Time.gap * Double(stream.format.rate) / 1000) }
    }

    /// Mutes the card at once: frames that it has not played are taken back.
    func mute() throws(RouteFailure) {
        renderer = nil
        next = nil
        firstHeardFrame = nil
        gapFrames = 0
        try startOver()
    }

    /// Writes the frames for the next while. Returns the milliseconds until the next call is due.
    func feedCard(at uptime: Double) throws(RouteFailure) -> Double {
        if isAsleep { try recover(.suspended) }
        guard !isAsleep else { return Time.wakingUp }
        do throws(PCMError) {
            return try feed(at: uptime)
        } catch {
            try recover(error)
            return Player.pauseAfterError
        }
    }

    /// Continues after an underrun or a suspend, or throws if that fails.
    func recover(_ error: PCMError) throws(RouteFailure) {
        switch error {
        case .underrun:
            // Only frames that were seen to be consumed count. A card that stops every time plays nothing.
            try startOver()
            if isSilent {
                // The card needs a longer queue, and has to prove that it plays before it is audible.
                silentQueueFrames = min(silentQueueFrames * 2, soundQueueFrames)
            } else {
                soundQueueFrames = min(stream.bufferFrames, soundQueueFrames * 2)
            }
        case .suspended:
            isAsleep = !(try stream.resume())
            renderer?.interrupt()
            if !isAsleep { try startOver() }
        case .failed(let failure): throw failure
        }
    }

    private func startOver() throws(RouteFailure) {
        try stream.startOver()
        writtenFrames -= queuedFrames
        (queuedFrames, isStarted, paceUptime) = (0, false, nil)
        if let first = firstHeardFrame { firstHeardFrame = min(first, writtenFrames) }
        renderer?.interrupt()
    }

    private func feed(at uptime: Double) throws(PCMError) -> Double {
        if isStarted { queuedFrames = min(writtenFrames, stream.bufferFrames - (try stream.room())) }
        let wanted = isSilent ? silentQueueFrames : soundQueueFrames
        var missing = min(wanted - queuedFrames, allowedFrames(at: uptime, queue: wanted))
        while missing > 0 {
            let count = min(missing, stream.periodFrames)
            let part = UnsafeMutableRawBufferPointer(rebasing: bytes[..<(count * stream.format.frameBytes)])
            fill(part, frames: count, at: uptime)
            let taken = try stream.write(UnsafeRawBufferPointer(part), frames: count)
            writtenFrames += taken
            queuedFrames += taken
            missing -= taken
            if taken < count {
                // Frames that the card did not accept are rendered again, for the time at which they are
                // heard.
                renderer?.rewind(frames: count - taken)
                break
            }
        }
        if !isStarted, queuedFrames > 0 {
            try stream.start()
            isStarted = true
        }
        if let renderer, let start { start.reach(renderer.levelUptime - milliseconds(queuedFrames)) }
        // The next call is due when one period of the queue is free.
        let spare = milliseconds(queuedFrames - (wanted - stream.periodFrames))
        return min(max(spare, 1), Time.longestTurn)
    }

    private var isSilent: Bool { renderer == nil && next == nil }

    private func fill(_ part: UnsafeMutableRawBufferPointer, frames: Int, at uptime: Double) {
        guard !isSilent else {
            // Zero is silence in every format.
            part.initializeMemory(as: UInt8.self, repeating: 0)
            return
        }
        let delay = isStarted ? stream.delayFrames(queued: queuedFrames) : queuedFrames
        let heardUptime = uptime + milliseconds(delay)
        if let next {
            // The next frame is the first of the sound, unless another card has started it already.
            renderer = Renderer(
                next.samples, format: stream.format, ramp: next.ramp,
                startUptime: next.start.settled(atUptime: heardUptime), reachedUptime: next.start.reachedUptime)
            (start, self.next) = (next.start, nil)
        }
        renderer?.render(frames: frames, into: part, heardAtUptime: heardUptime)
        let silent = min(gapFrames, frames)
        UnsafeMutableRawBufferPointer(rebasing: part[..<(silent * stream.format.frameBytes)])
            .initializeMemory(as: UInt8.self, repeating: 0)
        gapFrames -= silent
    }

    /// Returns how many frames may be written without running ahead of the time.
    private func allowedFrames(at uptime: Double, queue: Int) -> Int {
        guard let begin = paceUptime else {
            (paceUptime, paceFrames) = (uptime, writtenFrames)
            return queue
        }
        let played = Int((uptime - begin) / 1000 * Double(stream.format.rate) * Time.paceMax)
        return paceFrames + played + queue - writtenFrames
    }

    private func milliseconds(_ frames: Int) -> Double { Double(frames) * 1000 / Double(stream.format.rate) }
}
