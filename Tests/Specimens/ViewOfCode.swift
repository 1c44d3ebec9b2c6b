// The projection from a point of the picture to a point of the sheet.

import Glibc

/// The position of a sheet in front of the camera.
struct ViewOfCode {
    static let (width, height) = (640, 480)
    /// The focal length of a typical webcam: about 53° from side to side.
    private static let focalPoints = 640.0

    let modulePoints: Double
    var turnDegrees = 0.0
    var tiltDegrees = 0.0
    var tiltTowardsDegrees = 0.0
    var isInverse = false
    /// The offset from the middle; at 1 the sheet just stays inside the picture.
    var shiftX = 0.0
    var shiftY = 0.0

    init(modulePoints: Double) { self.modulePoints = modulePoints }

    /// Returns the matrix from a point of the picture, as (x, y, 1), to a point of the sheet, in modules
    /// from its middle.
    func toSheet(sheetModules: Double) -> [Double] {
        let (turn, tilt, towards) = (turnDegrees * .pi / 180, tiltDegrees * .pi / 180, tiltTowardsDegrees * .pi / 180)
        // The sheet turns in its own plane, then tilts about an axis in the picture's plane.
        let (axisX, axisY) = (cos(towards), sin(towards))
        func tilted(_ x: Double, _ y: Double) -> (Double, Double, Double) {
            let along = x * axisX + y * axisY
            let across = -x * axisY + y * axisX
            let (near, flat) = (across * sin(tilt), across * cos(tilt))
            return (along * axisX - flat * axisY, along * axisY + flat * axisX, near)
        }
        let first = tilted(cos(turn), sin(turn))
        let second = tilted(-sin(turn), cos(turn))
        let distance = ViewOfCode.focalPoints / modulePoints
        let reach = sheetModules * modulePoints * 0.6
        let x = Double(ViewOfCode.width) / 2 + shiftX * max(0, Double(ViewOfCode.width) / 2 - reach)
        let y = Double(ViewOfCode.height) / 2 + shiftY * max(0, Double(ViewOfCode.height) / 2 - reach)
        let focal = ViewOfCode.focalPoints
        return ViewOfCode.inverse([
            focal * first.0 + x * first.2, focal * second.0 + x * second.2, x * distance,
            focal * first.1 + y * first.2, focal * second.1 + y * second.2, y * distance,
            first.2, second.2, distance,
        ])
    }

    /// Returns the inverse of a 3 × 3 matrix, up to a factor.
    private static func inverse(_ m: [Double]) -> [Double] {
        [
            m[4] * m[8] - m[5] * m[7], m[2] * m[7] - m[1] * m[8], m[1] * m[5] - m[2] * m[4],
            m[5] * m[6] - m[3] * m[8], m[0] * m[8] - m[2] * m[6], m[2] * m[3] - m[0] * m[5],
            m[3] * m[7] - m[4] * m[6], m[1] * m[6] - m[0] * m[7], m[0] * m[4] - m[1] * m[3],
        ]
    }
}
