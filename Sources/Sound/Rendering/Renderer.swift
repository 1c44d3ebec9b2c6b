// The renderer that turns a sound and its ramp into frames for a card.

import Glibc

/// A sound that loops. Its position and its level follow from the uptime at which a frame is heard. Another
/// card, or the same card after a pause, therefore continues as if it had played all the time.
package struct Renderer: Sendable {
    private let values: [Float]
    private let format: FrameFormat
    private let ramp: Ramp
    /// The uptime at which the sound's first value is heard.
    private let startUptime: Double
    /// The uptime at which the first frame of an unbroken run is heard, and the number of the run's next
    /// frame. The level follows both.
    private var anchorUptime: Double?
    private var nextFrame = 0
    /// The highest uptime whose level was reached. After a break the level never falls below it.
    private var reachedUptime: Double

    /// Creates a renderer for a sound at the format's rate; an empty sound renders as silence. `startUptime`
    /// is when its first value is heard. `reachedUptime` is how far another card has brought the level.
    package init(
        _ samples: Samples, format: FrameFormat, ramp: Ramp, startUptime: Double, reachedUptime: Double = -.infinity
    ) {
        precondition(samples.rate == format.rate, "the sound is made for the card's rate")
        values = samples.values
        (self.format, self.ramp, self.startUptime, self.reachedUptime) = (format, ramp, startUptime, reachedUptime)
    }

    /// The uptime whose level the next frame has.
    package var levelUptime: Double {
        max(reachedUptime, anchorUptime.map { $0 + Double(nextFrame) * millisecondsPerFrame } ?? -.infinity)
    }

    private var millisecondsPerFrame: Double { 1000 / Double(format.rate) }

    /// Ends the run: the next frames are not heard directly after the previous ones.
    package mutating func interrupt() { (reachedUptime, anchorUptime) = (levelUptime, nil) }

    /// Takes back the last frames, which were not played. The next call renders them again.
    package mutating func rewind(frames: Int) {
        if anchorUptime != nil { nextFrame -= frames }
    }

    /// Renders frames. The first one is heard at about that uptime. The uptime counts only at the start of a
    /// run. Later frames follow the card's own clock, so that a late caller does not cause a jump.
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
            // A linear rise in decibels is the same factor at every frame. The gain is computed again for
            // each piece, so that rounding errors do not add up.
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

    /// Returns for how many frames, at most 256, the level rises at one rate or stays constant.
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
