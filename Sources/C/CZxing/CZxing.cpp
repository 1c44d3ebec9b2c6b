// The reading of codes with zxing-cpp, version 1.4 or 2.1 and newer.

#include "CZxing.h"

#define ZX_USE_UTF8 // avoids a warning of version 1.4; no text function is used
#include <ZXing/ReadBarcode.h>

#if __has_include(<ZXing/ReaderOptions.h>)
using Options = ZXing::ReaderOptions;
#define ZXING_INVERTS
#else
using Options = ZXing::DecodeHints;
#endif

using ZXing::BarcodeFormat;

// In the order of Swift's `Symbology`: the place of a format is the number of its kind.
static const BarcodeFormat formats_of_kinds[] = {
    BarcodeFormat::QRCode, BarcodeFormat::DataMatrix, BarcodeFormat::Aztec,  BarcodeFormat::PDF417, BarcodeFormat::EAN13,
    BarcodeFormat::EAN8,   BarcodeFormat::UPCA,       BarcodeFormat::UPCE,   BarcodeFormat::Code128,
    BarcodeFormat::Code39, BarcodeFormat::Code93,     BarcodeFormat::Codabar, BarcodeFormat::ITF,
};
enum { kind_count = sizeof formats_of_kinds / sizeof *formats_of_kinds };

static Options options(uint32_t kinds, int codes_max) {
    ZXing::BarcodeFormats formats;
    for (int kind = 0; kind < kind_count; kind++)
        if (kinds >> kind & 1) formats |= formats_of_kinds[kind];
    Options options;
    options.setFormats(formats);
    // Look at more lines of the picture, and also at the picture rotated by 90 degrees.
    options.setTryHarder(true);
    options.setTryRotate(true);
    options.setTryDownscale(false);
    options.setMaxNumberOfSymbols(static_cast<uint8_t>(codes_max));
    // Same payloads as from zbar: plain Code 39, and Codabar with its start and stop letters.
    options.setTryCode39ExtendedMode(false);
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
#endif
    options.setReturnCodabarStartEnd(true);
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
#ifdef ZXING_INVERTS
    // Version 1.4 cannot invert. With either version, the caller passes an inverted picture instead.
    options.setTryInvert(false);
#endif
    return options;
}

int zxing_read(
    const uint8_t *luma, int width, int height, uint32_t kinds, int codes_max, void *context,
    void (*found)(void *context, const struct zxing_code *code)) {
    if (kinds == 0) return 0; // zxing-cpp would read all kinds
    try {
        const ZXing::ImageView view(luma, width, height, ZXing::ImageFormat::Lum);
        for (const auto &each : ZXing::ReadBarcodes(view, options(kinds, codes_max))) {
            if (!each.isValid() || each.isPartOfSequence()) continue;
            const auto &bytes = each.bytes();
            struct zxing_code code = {0, bytes.data(), bytes.size(), {}};
            while (code.kind < kind_count && formats_of_kinds[code.kind] != each.format()) code.kind++;
            for (int corner = 0; corner < 4; corner++) {
                code.corners[2 * corner] = each.position()[corner].x;
                code.corners[2 * corner + 1] = each.position()[corner].y;
            }
            if (code.kind < kind_count) found(context, &code);
        }
        return 0;
    } catch (...) {
        return -1;
    }
}
