// The kinds of code that a camera can read.

/// A kind of code.
public enum Symbology: String, Hashable, Sendable, CaseIterable {
    case qr, dataMatrix = "datamatrix", aztec, pdf417, ean13, ean8, upcA = "upca", upcE = "upce", code128, code39,
        code93, codabar, itf

    /// What its owner calls it.
    public var name: String {
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
