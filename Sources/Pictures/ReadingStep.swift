// What is tried on a frame: a treatment and a decoder, in the order of what each has read of the corpus for its time.

import Devices

/// One attempt to read a frame.
enum ReadingStep: Int, CaseIterable {
    /// The frame as it is. zxing-cpp comes first: it reads nine of ten frames that can be read so, in an eighth of zbar's time.
    case plainZxing
    case plainZbar
    /// Light codes on dark ground.
    case inverseZxing
    /// Only where there is a whole picture that the frame is a smaller copy of.
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

    /// Who reads.
    var decoder: Decoder {
        switch self {
        case .plainZxing, .inverseZxing, .wholeZxing, .calmZxing, .sharpDoubleZxing: .zxing
        case .plainZbar, .halfZbar, .smoothZbar, .inverseZbar, .doubleZbar: .zbar
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
        case .doubleZbar: 50
        }
    }

    /// The picture that it reads; nil where it has nothing to add to the steps before.
    func picture(_ frame: Frame) -> Picture? {
        switch self {
        case .plainZxing, .plainZbar: frame.picture
        case .inverseZxing, .inverseZbar: frame.picture.inverted()
        case .wholeZxing: frame.whole
        case .calmZxing: frame.mean
        case .halfZbar: frame.calm.halved()
        case .sharpDoubleZxing: frame.calm.sharpened().doubled()
        case .smoothZbar: frame.calm.smoothed()
        case .doubleZbar: frame.calm.doubled()
        }
    }
}

/// A frame, with what is known from those before.
struct Frame {
    /// What is read first: no larger than a camera's frame.
    let picture: Picture
    /// The picture itself where it is larger than that.
    let whole: Picture?
    /// The mean of the still frames until now; nil where there is only this one.
    let mean: Picture?

    /// The picture with the least noise.
    var calm: Picture { mean ?? picture }

    /// A frame of 1280 × 960.
    private static let pointsMax = 1_228_800

    /// Takes over what a camera or a file gave.
    init(_ picture: Picture, _ stills: inout StillFrames) {
        var small = picture
        while small.points > Frame.pointsMax, let half = small.halved() { small = half }
        self.picture = small
        whole = small.points == picture.points ? nil : picture
        mean = stills.add(small)
    }
}
