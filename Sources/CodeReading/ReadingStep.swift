// What is tried on a frame: a treatment and a decoder, in the order of what each has read of the corpus for its time.

enum ReadingStep: Int, CaseIterable {
    /// The frame as it is. zxing-cpp comes first: it reads nine of ten frames that can be read so, in an eighth of zbar's time.
    case plainZxing
    case plainZbar
    /// Light codes on dark ground.
    case inverseZxing
    /// Only where there is a whole picture that the frame is a smaller copy of, such as a telephone's.
    case wholeZxing
    /// From here on the mean of the frames that were taken while nothing moved.
    case calmZxing
    /// Half the size has a quarter of the noise: codes that are near, in the dark.
    case halfZbar
    /// Edges made steep again, then twice the size: codes that are far away, out of focus or moving.
    case sharpDoubleZxing
    /// Noise taken away: codes in the dark that are not near.
    case smoothZbar
    case inverseZbar
    /// Codes that are far away, in the dark.
    case doubleZbar
    /// The frame as it is where it is larger than what zbar reads first: that takes it so long that a slow machine never does it.
    case largeZbar

    var decoder: Decoder {
        switch self {
        case .plainZxing, .inverseZxing, .wholeZxing, .calmZxing, .sharpDoubleZxing: .zxing
        case .plainZbar, .halfZbar, .smoothZbar, .inverseZbar, .doubleZbar, .largeZbar: .zbar
        }
    }

    /// How many times as long as `plainZxing` it takes, as long as nobody has measured it on this machine.
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

    /// The picture that it reads; nil where it has nothing to add to the steps before.
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

/// A frame in the sizes in which it is read, with what is known from those before.
struct Frame {
    /// What zxing-cpp reads first: no larger than a camera's frame.
    let picture: Picture
    /// What zbar reads, and what is treated: a quarter of that at the most, or the Pi would have no time for it.
    let small: Picture
    /// The picture itself where it is larger than a camera's frame.
    let whole: Picture?
    /// The mean of the still frames until now, as small; nil where there is only this one.
    let mean: Picture?

    /// The picture with the least noise.
    var calm: Picture { mean ?? small }

    /// Frames of 1280 × 960, and of 800 × 600.
    private static let (pointsMax, smallPointsMax) = (1_228_800, 480_000)

    /// Takes over what a camera or a file gave.
    init(_ whole: Picture, _ stills: inout StillFrames) {
        picture = Frame.reduced(whole, to: Frame.pointsMax)
        small = Frame.reduced(picture, to: Frame.smallPointsMax)
        self.whole = picture.points == whole.points ? nil : whole
        mean = stills.add(small)
    }

    /// Halved until it has no more points than that. What is one point wide cannot be halved.
    private static func reduced(_ picture: Picture, to pointsMax: Int) -> Picture {
        var reduced = picture
        while reduced.points > pointsMax, let half = reduced.halved() { reduced = half }
        return reduced
    }
}
