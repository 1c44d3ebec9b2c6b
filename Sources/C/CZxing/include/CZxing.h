// zxing-cpp, which reads codes in pictures. This header hides the differences between its version 1.4
// (Debian 12) and version 2.3 (Debian 13).

#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The kinds of code, one bit each.
enum {
    zxing_qr = 1 << 0,
    zxing_data_matrix = 1 << 1,
    zxing_aztec = 1 << 2,
    zxing_pdf417 = 1 << 3,
    zxing_ean13 = 1 << 4,
    zxing_ean8 = 1 << 5,
    zxing_upc_a = 1 << 6,
    zxing_upc_e = 1 << 7,
    zxing_code128 = 1 << 8,
    zxing_code39 = 1 << 9,
    zxing_code93 = 1 << 10,
    zxing_codabar = 1 << 11,
    zxing_itf = 1 << 12,
};

/// A code found in a picture.
struct zxing_code {
    /// One of the kinds.
    uint32_t kind;
    /// The payload, as its bytes were encoded; valid until the callback returns.
    const uint8_t *bytes;
    size_t count;
    /// The four corners, each as x and y.
    int32_t corners[8];
};

/// Reads dark codes on light ground in a picture of `width` × `height` bytes, and calls back for each one.
/// Omits codes that are parts of a message in several codes. Returns 0, or -1 on a failure such as a lack of
/// memory.
int zxing_read(
    const uint8_t *luma, int width, int height, uint32_t kinds, int codes_max, void *context,
    void (*found)(void *context, const struct zxing_code *code));

#ifdef __cplusplus
}
#endif
