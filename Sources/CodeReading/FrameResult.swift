// The result of reading one picture.

import Devices

package struct FrameResult: Hashable, Sendable {
    /// The codes in the picture, each payload once.
    package internal(set) var codes: [ReadCode] = []
    /// The decoder that read the first code, or nil if there is none.
    package internal(set) var decoder: Decoder?
    package internal(set) var milliseconds = 0.0
    /// The brightness, from 0 for black to 100 for white.
    package let light: Int
    /// True if the picture is too dark for a code to be read.
    package let isDark: Bool
    /// The sharpness, from 0 for a covered lens to 100.
    package let sharpness: Int
}

package enum Decoder: String, Hashable, Sendable {
    case zbar, zxing
}

package struct FoundCode {
    package var symbology: Symbology
    package var payload: [UInt8]
    /// The longer side of the code's upright bounding box, in points of the picture that was read.
    var sidePoints: Int

    init(_ symbology: Symbology, payload: [UInt8], corners: [(x: Int, y: Int)]) {
        (self.symbology, self.payload) = (symbology, payload)
        let (xs, ys) = (corners.map(\.x), corners.map(\.y))
        let width = (xs.max() ?? 0) - (xs.min() ?? 0)
        let height = (ys.max() ?? 0) - (ys.min() ?? 0)
        sidePoints = max(width, height)
    }

    /// The most codes that a decoder reports for one picture.
    package static let countMax = 32
}
