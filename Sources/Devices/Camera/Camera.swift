// A camera that reads codes.

/// A camera that reads codes in its frames. It decides nothing.
package protocol Camera: Sendable {
    /// Says what it does from now on, in the place of every order before. It returns at once.
    func order(_ order: CameraOrder)
    /// Lets go of the camera for good; the reports end.
    func end()
    /// What its frames show and what fails, for one listener.
    var reports: AsyncStream<CameraReport> { get }
}

package enum CameraOrder: Hashable, Sendable {
    /// Nothing: the camera is closed, and its light is off.
    case off
    /// It reads codes of these kinds. `previews` asks for small pictures of what it sees beside.
    case read(Set<Symbology>, previews: Bool = false)
}

package enum CameraReport: Hashable, Sendable {
    /// It is open and streams, under the name by which its owner knows it.
    case opened(name: String)
    case frame(CameraFrame)
    /// A small JPEG picture of what it sees.
    case preview([UInt8])
    /// It gives no frames, and why. It is tried again until it is ordered off.
    case failed(CameraFailure)
    /// A camera was plugged in or pulled out while none was in use.
    case camerasChanged
    /// Something is not as it could be, and it reads codes all the same: in words.
    case warning(String)
}

package struct CameraFrame: Hashable, Sendable {
    /// When it was taken, in milliseconds since the machine was started.
    package var takenUptime: Int
    /// The codes in it, each payload once.
    package var codes: [ReadCode]
    /// How light it is, from 0 for black to 100 for white.
    package var light: Int
    /// Whether it is too dark to read a code.
    package var isDark: Bool
    /// How sharp it is, from 0 for a covered lens to 100.
    package var sharpness: Int

    package init(takenUptime: Int, codes: [ReadCode] = [], light: Int = 50, isDark: Bool = false, sharpness: Int = 50) {
        (self.takenUptime, self.codes) = (takenUptime, codes)
        (self.light, self.isDark, self.sharpness) = (light, isDark, sharpness)
    }
}

package struct ReadCode: Hashable, Sendable {
    package var symbology: Symbology
    package var payload: [UInt8]
    /// How much of the frame's shorter side it takes, in percent: a small one is held too far away.
    package var sizePercent: Int

    package init(_ symbology: Symbology, payload: [UInt8], sizePercent: Int = 50) {
        (self.symbology, self.payload, self.sizePercent) = (symbology, payload, sizePercent)
    }
}

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

/// The frequency of the mains by which a camera times its exposure.
package enum PowerLine: String, Hashable, Sendable, CaseIterable {
    /// As the camera was.
    case untouched
    /// The camera finds out by itself, where it can.
    case auto
    /// Europe, most of Asia, Africa and Australia.
    case hertz50 = "50"
    /// America, and some of Asia.
    case hertz60 = "60"
}
