// Makes a card's frames of a sound, as loud as it is to be at each.

import Glibc

/// A sound that goes round and round. Its place and its level follow from the time at which a frame is heard: another
/// card, or the same one after a pause, goes on as if it had played all the time.
package struct Renderer: Sendable {
    private let values: [Float]
    private let format: FrameFormat
    private let ramp: Ramp
    /// When the first value of the sound is heard, by the time since the machine was started.
    private let startUptime: Double
    /// What the level follows while frames come one after the other: when the first of these is heard, and which comes next.
    private var anchorUptime: Double?
    private var nextFrame = 0
    /// How far the level has come before: whatever the time says after a break, it is never softer than that.
    private var reachedUptime: Double

    /// A sound at the format's rate whose first value is heard at that uptime in milliseconds, and whose level has come so
    /// far by another card. Of no samples there is silence.
    package init(
        _ samples: Samples, format: FrameFormat, ramp: Ramp, startUptime: Double, reachedUptime: Double = -.infinity
    ) {
        precondition(samples.rate == format.rate, "the sound is made for the card's rate")
        values = samples.values
        (self.format, self.ramp, self.startUptime, self.reachedUptime) = (format, ramp, startUptime, reachedUptime)
    }

    /// How far the level is with the frames that come next.
    package var levelUptime: Double {
        max(reachedUptime, anchorUptime.map { $0 + Double(nextFrame) * millisecondsPerFrame } ?? -.infinity)
    }

    private var millisecondsPerFrame: Double { 1000 / Double(format.rate) }

    /// The frames that come next are not heard right behind those before.
    package mutating func interrupt() { (reachedUptime, anchorUptime) = (levelUptime, nil) }

    /// The last frames were not played after all: they are made again.
    package mutating func rewind(frames: Int) {
        if anchorUptime != nil { nextFrame -= frames }
    }

    /// Writes frames of which the first is heard at about that time. It counts only at first and after a break: then frames
    /// follow one another by the card's own clock, so that nothing jumps because someone looked a little late.
    package mutating func render(
        frames count: Int, into bytes: UnsafeMutableRawBufferPointer, heardAtUptime uptime: Double
    ) {
        guard !values.isEmpty else { return silence(frames: count, in: bytes) }
        if anchorUptime == nil { (anchorUptime, nextFrame) = (uptime, 0) }
        let anchor = anchorUptime ?? uptime
        let first = Int(((anchor - startUptime) / millisecondsPerFrame).rounded()) + nextFrame
        var place = first % values.count
        if place < 0 { place += values.count }
        var frame = 0
        while frame < count {
            let begin = anchor + Double(nextFrame + frame) * millisecondsPerFrame
            let piece = min(count - frame, steadyFrames(from: begin))
            // What rises evenly in decibels is multiplied by the same at each frame. It is worked out anew often enough for
            // no error to gather.
            var gain = ramp.gain(atUptime: max(begin, reachedUptime))
            let end = ramp.gain(atUptime: max(begin + Double(piece) * millisecondsPerFrame, reachedUptime))
            let growth = gain > 0 ? pow(end / gain, 1 / Double(piece)) : 1
            for _ in 0..<piece {
                format.store(values[place] * Float(gain), frame: frame, in: bytes)
                gain *= growth
                place += 1
                if place == values.count { place = 0 }
                frame += 1
            }
        }
        nextFrame += count
    }

    /// For how many frames at most the level rises, or stays, evenly: a rise begins and ends at its own frame.
    private func steadyFrames(from begin: Double) -> Int {
        let rampStart = Double(ramp.startUptime)
        let rampEnd = rampStart + Double(ramp.seconds) * 1000
        guard begin < rampEnd else { return 256 }
        let turn = begin < rampStart ? rampStart : rampEnd
        let frames = (turn - begin) * Double(format.rate) / 1000
        return frames >= 256 ? 256 : max(1, Int(frames))
    }

    private func silence(frames count: Int, in bytes: UnsafeMutableRawBufferPointer) {
        for frame in 0..<count { format.store(0, frame: frame, in: bytes) }
    }
}
