// The protocol of the camera, with its orders, reports and codes.

/// A camera that finds codes in its frames. It decides nothing.
package protocol Camera: Sendable {
    /// Replaces the previous order. Returns at once.
    func order(_ order: CameraOrder)
    /// Releases the camera for good and ends the reports.
    func end()
    /// The frames and failures, for one listener.
    var reports: AsyncStream<CameraReport> { get }
}

package enum CameraOrder: Hashable, Sendable {
    /// The camera is closed, and its light is off.
    case off
    /// The camera reads codes of these kinds, and sends small pictures if `previews` is true.
    case read(Set<Symbology>, previews: Bool = false)
}

package enum CameraReport: Hashable, Sendable {
    /// The camera is open and streams. `name` is shown to the owner.
    case opened(name: String)
    case frame(CameraFrame)
    /// A small JPEG picture of the camera's view.
    case preview([UInt8])
    /// The camera delivers no frames. The driver keeps trying until it is ordered off.
    case failed(CameraFailure)
    /// A camera was plugged in or unplugged while the order was `off`.
    case camerasChanged
    /// A sentence about a defect with which the camera still reads codes.
    case warning(String)
}

package struct CameraFrame: Hashable, Sendable {
    /// The uptime in milliseconds at which the frame was taken.
    package var takenUptime: Int
    /// The codes in the frame, each payload once.
    package var codes: [ReadCode]
    /// The brightness, from 0 for black to 100 for white.
    package var light: Int
    /// True if the frame is too dark for a code to be read.
    package var isDark: Bool
    /// The sharpness, from 0 for a covered lens to 100.
    package var sharpness: Int

    package init(takenUptime: Int, codes: [ReadCode] = [], light: Int = 50, isDark: Bool = false, sharpness: Int = 50) {
        (self.takenUptime, self.codes) = (takenUptime, codes)
        (self.light, self.isDark, self.sharpness) = (light, isDark, sharpness)
    }
}

package struct ReadCode: Hashable, Sendable {
    package var symbology: Symbology
    package var payload: [UInt8]
    /// The code's size, in percent of the frame's shorter side. A small code is held too far away.
    package var sizePercent: Int

    package init(_ symbology: Symbology, payload: [UInt8], sizePercent: Int = 50) {
        (self.symbology, self.payload, self.sizePercent) = (symbology, payload, sizePercent)
    }
}

/// A kind of code. `CZxing.cpp` lists the formats of zxing-cpp in this order.
package enum Symbology: String, Hashable, Sendable, CaseIterable {
    case qr, dataMatrix = "datamatrix", aztec, pdf417, ean13, ean8, upcA = "upca", upcE = "upce", code128, code39,
        code93, codabar, itf

    package var name: String {
        switch self {
        case .qr: "QR"
        case .dataMatrix: "Data Matrix"
        case .aztec: "Aztec"
        case .pdf417: "PDF417"
        case .ean13: "EAN-13"
        case .ean8: "EAN-8"
        case .upcA: "UPC-A"
        case .upcE: "UPC-E"
        case .code128: "Code 128"
        case .code39: "Code 39"
        case .code93: "Code 93"
        case .codabar: "Codabar"
        case .itf: "ITF"
        }
    }
}

/// The mains frequency, to which a camera adapts its exposure to avoid flicker.
package enum PowerLine: String, Hashable, Sendable, CaseIterable {
    /// The camera's own setting stays.
    case untouched
    /// The camera detects the frequency, if it can.
    case auto
    /// Europe, most of Asia, Africa and Australia.
    case hertz50 = "50"
    /// The Americas and parts of Asia.
    case hertz60 = "60"
}
