// The report of the camera's view, by which an owner aims a code.

import Devices
import Text

package struct CameraViewReport: Codable, Hashable, Sendable {
    package struct Frame: Codable, Hashable, Sendable {
        package let light: Int
        package let dark: Bool
        package let sharpness: Int
        package let codes: [Code]
    }

    package struct Code: Codable, Hashable, Sendable {
        package let symbology: String
        /// The size of the code, in percent of the picture's shorter side.
        package let sizePercent: Int
    }

    package var camera: String?
    package var problem: String?
    package var warning: String?
    package var frame: Frame?
    package var wrongCodes = 0
    package var wrongInView = false
    /// True if the code has been in view from the beginning: the owner must remove it and show it again.
    package var removeAndShowAgain = false
    /// The obstacle for the camera, or advice on holding the code; missing if no code is in view.
    package var hint: Hint?
    /// A small JPEG in base64, by which the owner aims the camera.
    package var picture: String?

    package init() {}
}

extension CameraViewReport.Frame {
    package init(_ frame: CameraFrame) {
        self.init(
            light: frame.light, dark: frame.isDark, sharpness: frame.sharpness,
            codes: frame.codes.map { .init(symbology: $0.symbology.rawValue, sizePercent: $0.sizePercent) })
    }
}

extension CameraViewReport {
    package enum Hint: String, Choice, Sendable {
        /// It is too dark.
        case dark
        /// The code has been in view from the beginning.
        case standing
        /// It is the wrong code for this alarm.
        case wrong
        /// Several codes are in view.
        case several
        /// The code is too small in the picture.
        case small
        /// The picture is not sharp, and no code is found in it.
        case blurred
        /// The code can be read: it must be held still.
        case still
    }

    /// The least size of a code, in percent of the picture's shorter side. The camera reads a smaller one only by luck.
    package static let codeSizePercentMin = 12
    /// The least sharpness of a frame in which a decoder can read a code.
    package static let sharpnessMin = 20

    /// The hint for the present view.
    package var present: Hint? {
        guard problem == nil, let frame else { return nil }
        if frame.dark { return .dark }
        if removeAndShowAgain { return .standing }
        if wrongInView { return .wrong }
        if frame.codes.count > 1 { return .several }
        guard let code = frame.codes.first else {
            return frame.sharpness < CameraViewReport.sharpnessMin ? .blurred : nil
        }
        return code.sizePercent < CameraViewReport.codeSizePercentMin ? .small : .still
    }
}
