// The reading steps, each a treatment and a decoder, ordered by codes read from the corpus per time.

enum ReadingStep: Int, CaseIterable {
    /// The unchanged frame. zxing-cpp reads nine of ten codes that need no treatment, in an eighth of zbar's
    /// time.
    case plainZxing
    case plainZbar
    /// Light codes on a dark ground.
    case inverseZxing
    /// The full-size picture, if the frame is a reduced copy of it, as for a phone's picture.
    case wholeZxing
    /// The mean of the frames since the last movement, which most later steps also use.
    case calmZxing
    /// Half the size, for near codes in the dark: a quarter of the noise.
    case halfZbar
    /// Sharpened and doubled, for codes that are far away, out of focus or moving.
    case sharpDoubleZxing
    /// Smoothed, for codes in the dark that are not near.
    case smoothZbar
    case inverseZbar
    /// Doubled, for codes far away in the dark.
    case doubleZbar
    /// zbar on the frame, if that is larger than `small`. A slow machine never reaches this step.
    case largeZbar

    var decoder: Decoder {
        switch self {
        case .plainZxing, .inverseZxing, .wholeZxing, .calmZxing, .sharpDoubleZxing: .zxing
        case .plainZbar, .halfZbar, .smoothZbar, .inverseZbar, .doubleZbar, .largeZbar: .zbar
        }
    }

    /// The cost as a multiple of `plainZxing`, until it is measured on this machine.
    var expectedCost: Double {
        switch self {
        case .plainZxing, .inverseZxing, .calmZxing: 1.5
        case .halfZbar: 3
        case .plainZbar, .smoothZbar, .sharpDoubleZxing: 10
        case .inverseZbar: 12
        case .wholeZxing: 8
        case .doubleZbar, .largeZbar: 50
        }
    }

    /// Returns the picture to decode, or nil if it would add nothing to the earlier steps.
    func picture(_ frame: Frame) -> Picture? {
        switch self {
        case .plainZxing: frame.picture
        case .plainZbar: frame.small
        case .inverseZxing: frame.picture.inverted()
        case .inverseZbar: frame.small.inverted()
        case .wholeZxing: frame.whole
        case .calmZxing: frame.mean
        case .halfZbar: frame.calm.halved()
        case .sharpDoubleZxing: frame.calm.sharpened().doubled()
        case .smoothZbar: frame.calm.smoothed()
        case .doubleZbar: frame.calm.doubled()
        case .largeZbar: frame.picture.points == frame.small.points ? nil : frame.picture
        }
    }
}

/// A frame in the sizes for the steps, and the mean of still frames.
struct Frame {
    /// The picture for zxing-cpp, at most the size of a camera's frame.
    let picture: Picture
    /// The picture for zbar and for treatments. With a larger one, a Raspberry Pi would be too slow.
    let small: Picture
    /// The original, if it is larger than a camera's frame.
    let whole: Picture?
    /// The mean of the still frames so far, in the size of `small`; nil if there is only this frame.
    let mean: Picture?

    /// The picture with the least noise.
    var calm: Picture { mean ?? small }

    /// The points of a 1280 × 960 and of an 800 × 600 frame.
    private static let (pointsMax, smallPointsMax) = (1_228_800, 480_000)

    /// Reduces a picture from a camera or a file.
    init(_ whole: Picture, _ stills: inout StillFrames) {
        picture = Frame.reduced(whole, to: Frame.pointsMax)
        small = Frame.reduced(picture, to: Frame.smallPointsMax)
        self.whole = picture.points == whole.points ? nil : whole
        mean = stills.add(small)
    }

    /// Returns the picture, halved until it has at most `pointsMax` points. A picture one point wide stays.
    private static func reduced(_ picture: Picture, to pointsMax: Int) -> Picture {
        var reduced = picture
        while reduced.points > pointsMax, let half = reduced.halved() { reduced = half }
        return reduced
    }
}
