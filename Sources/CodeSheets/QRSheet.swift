// The sheet with a code that the owner prints and hangs up.

/// A page that fits A4 and Letter, with a code that a camera reads from 1.5 m.
package struct QRSheet: Hashable, Sendable {
    package let label: String
    /// The code's fingerprint; empty if the service was not running.
    package let fingerprint: String
    package let symbol: QRSymbol

    /// The line below the code.
    package static let purpose = "Hang it where you have to get up for it, and show it to Rooster's camera."

    /// Creates a sheet for a code with this payload.
    package init(payload: String, label: String, fingerprint: String = "") throws(QRSymbol.Failure) {
        symbol = try QRSymbol(payload: Array(payload.utf8))
        self.label = QRSheet.printable(label)
        self.fingerprint = fingerprint.isEmpty ? "" : QRSheet.printable("Fingerprint: \(fingerprint)")
    }

    /// The layout in millimetres. Letter is wider and lower than A4, so everything is within both.
    package static let (pageWidth, pageHeight) = (210.0, 297.0)
    package static let (codeSide, codeLeft, codeTop) = (180.0, 15.0, 40.0)
    package static let (labelBase, purposeBase, fingerprintBase) = (30.0, 235.0, 248.0)
    /// The margin of light modules that decoders need around a code.
    package static let quietModules = 4

    /// Returns the text with spaces in place of characters without a shape, such as line ends.
    private static func printable(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.map { isControl($0) ? " " : $0 }))
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned: true
        // XML allows neither U+FFFE nor U+FFFF.
        default: scalar.value & 0xFFFE == 0xFFFE
        }
    }

    package var svg: String {
        let modules = symbol.side + 2 * QRSheet.quietModules
        let module = QRSheet.codeSide / Double(modules)
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <svg xmlns="http://www.w3.org/2000/svg" width="210mm" height="297mm" viewBox="0 0 210 297">
            <rect width="210" height="297" fill="#fff"/>
            \(line(label, base: QRSheet.labelBase, sizeMax: 14))
            <g transform="translate(\(QRSheet.codeLeft) \(QRSheet.codeTop)) scale(\(module))" \
            shape-rendering="crispEdges">
            <path d="\(path)" fill="#000"/>
            </g>
            \(line(QRSheet.purpose, base: QRSheet.purposeBase, sizeMax: 6))
            \(line(fingerprint, base: QRSheet.fingerprintBase, sizeMax: 6))
            </svg>

            """
    }

    /// Returns centred text, as large as fits.
    private func line(_ text: String, base: Double, sizeMax: Double) -> String {
        // Few letters are wider than seven tenths of their height.
        let size = min(sizeMax, QRSheet.codeSide / (0.7 * Double(max(1, text.count))))
        return """
            <text x="105" y="\(base)" font-size="\(size)" font-family="sans-serif" text-anchor="middle">\
            \(QRSheet.escaped(text))</text>
            """
    }

    private static func escaped(_ text: String) -> String {
        text.reduce(into: "") { escaped, letter in
            switch letter {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            default: escaped.append(letter)
            }
        }
    }

    /// One bar for each run of dark modules in a row.
    private var path: String {
        var path = ""
        for row in 0..<symbol.side {
            var column = 0
            while column < symbol.side {
                let start = column
                while column < symbol.side, symbol.isDark(column: column, row: row) { column += 1 }
                if column > start {
                    path += "M\(start + QRSheet.quietModules) \(row + QRSheet.quietModules)h\(column - start)v1H"
                    path += "\(start + QRSheet.quietModules)z"
                } else {
                    column += 1
                }
            }
        }
        return path
    }
}
