// Decodes with zbar, which is fast and good at small or blurred codes.

import CZbar
import Devices

/// A zbar scanner without memory of earlier pictures.
package final class ZbarScanner {
    private let scanner: OpaquePointer?
    private var wanted: Set<Symbology> = []

    /// The kinds that zbar reads. Its PDF417 is unfinished.
    package static let symbologies: [Symbology: zbar_symbol_type_t] = [
        .qr: ZBAR_QRCODE, .ean13: ZBAR_EAN13, .ean8: ZBAR_EAN8, .upcA: ZBAR_UPCA, .upcE: ZBAR_UPCE,
        .code128: ZBAR_CODE128, .code39: ZBAR_CODE39, .code93: ZBAR_CODE93, .codabar: ZBAR_CODABAR, .itf: ZBAR_I25,
    ]

    /// Creates a scanner. `invertedToo` doubles the time of each picture without a code.
    package init(invertedToo: Bool = false) {
        scanner = zbar_image_scanner_create()
        guard let scanner else { return }
        zbar_image_scanner_enable_cache(scanner, 0)
        zbar_image_scanner_set_config(scanner, ZBAR_NONE, ZBAR_CFG_ENABLE, 0)
        zbar_image_scanner_set_config(scanner, ZBAR_NONE, ZBAR_CFG_TEST_INVERTED, invertedToo ? 1 : 0)
    }

    deinit {
        if let scanner { zbar_image_scanner_destroy(scanner) }
    }

    package func read(_ picture: Picture, wanted: Set<Symbology>) -> [FoundCode] {
        guard let scanner, !wanted.isDisjoint(with: ZbarScanner.symbologies.keys) else { return [] }
        enable(wanted, in: scanner)
        guard let image = zbar_image_create() else { return [] }
        defer { zbar_image_destroy(image) }
        return picture.luma.withUnsafeBytes { luma in
            zbar_image_set_format(image, ZbarScanner.grey)
            zbar_image_set_size(image, UInt32(picture.width), UInt32(picture.height))
            zbar_image_set_data(image, luma.baseAddress, UInt(luma.count), nil)
            guard zbar_scan_image(scanner, image) > 0 else { return [] }
            return ZbarScanner.codes(of: image).filter { wanted.contains($0.symbology) }
        }
    }

    private func enable(_ wanted: Set<Symbology>, in scanner: OpaquePointer) {
        guard wanted != self.wanted else { return }
        self.wanted = wanted
        for (symbology, type) in ZbarScanner.symbologies {
            // zbar sees UPC-A as an EAN-13 with a leading zero.
            let isWanted = wanted.contains(symbology) || symbology == .ean13 && wanted.contains(.upcA)
            zbar_image_scanner_set_config(scanner, type, ZBAR_CFG_ENABLE, isWanted ? 1 : 0)
        }
        // Makes zbar return the encoded bytes, without a guess of the character set.
        zbar_image_scanner_set_config(scanner, ZBAR_QRCODE, ZBAR_CFG_BINARY, 1)
    }

    /// "Y800": one byte per point.
    private static let grey: UInt = 0x3030_3859

    private static func codes(of image: OpaquePointer) -> [FoundCode] {
        var codes: [FoundCode] = []
        var next = zbar_image_first_symbol(image)
        while let symbol = next, codes.count < FoundCode.countMax {
            if let code = code(symbol) { codes.append(code) }
            next = zbar_symbol_next(symbol)
        }
        return codes
    }

    private static func code(_ symbol: OpaquePointer) -> FoundCode? {
        let type = zbar_symbol_get_type(symbol)
        // A symbol with components was joined from several codes, which Rooster does not read. zbar changes
        // the payload of a GS1 code, so such codes are skipped.
        guard let symbology = symbologies.first(where: { $0.value == type })?.key,
            zbar_symbol_get_components(symbol) == nil, symbology != .qr || zbar_symbol_get_modifiers(symbol) == 0,
            let data = zbar_symbol_get_data(symbol)
        else { return nil }
        let payload = [UInt8](UnsafeRawBufferPointer(start: data, count: Int(zbar_symbol_get_data_length(symbol))))
        let corners = (0..<zbar_symbol_get_loc_size(symbol)).map { index in
            (x: Int(zbar_symbol_get_loc_x(symbol, index)), y: Int(zbar_symbol_get_loc_y(symbol, index)))
        }
        return FoundCode(symbology, payload: payload, corners: corners)
    }
}
