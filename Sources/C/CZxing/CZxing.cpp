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

static const struct {
    uint32_t kind;
    BarcodeFormat format;
} kinds_and_formats[] = {
    {zxing_qr, BarcodeFormat::QRCode},       {zxing_data_matrix, BarcodeFormat::DataMatrix},
    {zxing_aztec, BarcodeFormat::Aztec},     {zxing_pdf417, BarcodeFormat::PDF417},
    {zxing_ean13, BarcodeFormat::EAN13},     {zxing_ean8, BarcodeFormat::EAN8},
    {zxing_upc_a, BarcodeFormat::UPCA},      {zxing_upc_e, BarcodeFormat::UPCE},
    {zxing_code128, BarcodeFormat::Code128}, {zxing_code39, BarcodeFormat::Code39},
    {zxing_code93, BarcodeFormat::Code93},   {zxing_codabar, BarcodeFormat::Codabar},
    {zxing_itf, BarcodeFormat::ITF},
};

static Options options(uint32_t kinds, int codes_max) {
    ZXing::BarcodeFormats formats;
    for (const auto &each : kinds_and_formats)
        if (kinds & each.kind) formats |= each.format;
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
            for (const auto &known : kinds_and_formats)
                if (known.format == each.format()) code.kind = known.kind;
            for (int corner = 0; corner < 4; corner++) {
                code.corners[2 * corner] = each.position()[corner].x;
                code.corners[2 * corner + 1] = each.position()[corner].y;
            }
            if (code.kind) found(context, &code);
        }
        return 0;
    } catch (...) {
        return -1;
    }
}
