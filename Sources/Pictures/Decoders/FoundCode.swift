// What a decoder found in a picture, before it is looked at twice.

import Devices

package struct FoundCode {
    package var symbology: Symbology
    package var payload: [UInt8]
    /// The longer side of the upright box around it, in points of the picture that was read.
    var sidePoints: Int

    init(_ symbology: Symbology, payload: [UInt8], corners: [(x: Int, y: Int)]) {
        (self.symbology, self.payload) = (symbology, payload)
        let (xs, ys) = (corners.map(\.x), corners.map(\.y))
        let width = (xs.max() ?? 0) - (xs.min() ?? 0)
        let height = (ys.max() ?? 0) - (ys.min() ?? 0)
        sidePoints = max(width, height)
    }

    /// More are not looked for in one picture.
    package static let countMax = 32
}
