// Keeps a card fed, a little at a time. It has no thread and no clock: whoever calls it brings the time.

import Glibc
import Sound

/// Feeds an open card with silence or a sound.
///
/// While it is silent at most two periods are queued, for a sound that begins waits behind them. Fewer would not do everywhere:
/// a card may take a whole period at once, and frames that were given to a sound server or to USB cannot be taken back
/// (`snd_pcm_rewind` goes by what ALSA has, not by what is on its way). A card that runs dry all the same is given more.
final class Player {
    private let stream: CardStream
    private var renderer: Renderer?
    private var start: SoundStart?
    /// What takes its place with the next frame.
    private var next: PlayedSound?
    private let bytes: UnsafeMutableRawBufferPointer
    /// How many frames wait before the card while it is silent, and while it sounds.
    private var silentQueueFrames: Int
    private var soundQueueFrames: Int
    /// So many of the next frames are silent, though the sound goes on behind them.
    private var gapFrames = 0
    private var isStarted = false
    private(set) var isAsleep = false
    /// How many frames the card was given since it was opened, without those that were taken back.
    private var writtenFrames = 0
    private var queuedFrames = 0
    /// How the card is kept from taking all that there ever is: not every one of them is a card.
    private var paceUptime: Double?
    private var paceFrames = 0
    private(set) var firstHeardFrame: Int?

    private enum Time {
        static let silentQueue = 20.0
        static let soundQueue = 60.0
        /// How long a card that wakes up is given before it is asked again.
        static let wakingUp = 20.0
        static let longestTurn = 25.0
        static let gap = 150.0
        /// No card's clock is that much faster than ours.
        static let paceMax = 1.005
    }

    /// Soon, but not at once: a card that fails each time must not keep the machine from all else.
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

    /// How many frames the card has taken: it plays only while they become more.
    var takenFrames: Int { writtenFrames - queuedFrames }

    func play(_ sound: PlayedSound) {
        next = sound
        if firstHeardFrame == nil { firstHeardFrame = writtenFrames }
    }

    /// What is heard is interrupted, for as long as nobody takes for a stutter.
    func interrupt() {
        if !isSilent { gapFrames = Int(Time.gap * Double(stream.format.rate) / 1000) }
    }

    /// Silence, at once: what the card has not played yet is taken back.
    func mute() throws(RouteFailure) {
        renderer = nil
        next = nil
        firstHeardFrame = nil
        gapFrames = 0
        try startOver()
    }

    /// Gives the card what it needs for a while, and answers for how many milliseconds.
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

    /// Goes on after the card ran dry or was asleep; throws when it does not go on.
    func recover(_ error: PCMError) throws(RouteFailure) {
        switch error {
        case .underrun:
            // Whatever it was seen to take it has taken, and no more: one that stops each time plays nothing.
            try startOver()
            if isSilent {
                // It needs more waiting before it, and must show that it plays before it is to be heard.
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
                // What was made and not taken is made again: it belongs to the time at which it is heard.
                renderer?.rewind(frames: count - taken)
                break
            }
        }
        if !isStarted, queuedFrames > 0 {
            try stream.start()
            isStarted = true
        }
        if let renderer, let start { start.reach(renderer.levelUptime - milliseconds(queuedFrames)) }
        // Woken when one period of the queue is left to write.
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
            // The frame that comes next is the first of the sound, if no card has played it yet.
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

    /// How many frames may be written without being ahead of the time. A file or a null device takes any number.
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
