// zxing-cpp reads codes in pictures. Debian 12 has its version 1.4, Debian 13 its version 2.3: what differs is hidden here.

#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The kinds of code, a bit each.
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

/// A code that was read.
struct zxing_code {
    /// One of the kinds.
    uint32_t kind;
    /// What it says, byte for byte as it was encoded; valid until the callback returns.
    const uint8_t *bytes;
    size_t count;
    /// The four corners, x before y.
    int32_t corners[8];
};

/// Reads dark codes on light ground in a picture of `width` × `height` bytes, and calls back for each. Parts of a message that
/// is spread over several codes are left out. 0 when the picture was read through, else -1, such as for want of memory.
int zxing_read(
    const uint8_t *luma, int width, int height, uint32_t kinds, int codes_max, void *context,
    void (*found)(void *context, const struct zxing_code *code));

#ifdef __cplusplus
}
#endif
