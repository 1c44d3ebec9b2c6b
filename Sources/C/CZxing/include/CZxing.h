// zxing-cpp, which reads codes in pictures. This header hides the differences between its version 1.4
// (Debian 12) and version 2.3 (Debian 13).

#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A code found in a picture.
struct zxing_code {
    /// The number of its kind: its place in Swift's `Symbology`.
    uint32_t kind;
    /// The payload, as its bytes were encoded; valid until the callback returns.
    const uint8_t *bytes;
    size_t count;
    /// The four corners, each as x and y.
    int32_t corners[8];
};

/// Reads dark codes on light ground in a picture of `width` × `height` bytes, and calls back for each one.
/// `kinds` has a bit for the number of each wanted kind. Omits codes that are parts of a message in several
/// codes. Returns 0, or -1 on a failure such as a lack of memory.
int zxing_read(
    const uint8_t *luma, int width, int height, uint32_t kinds, int codes_max, void *context,
    void (*found)(void *context, const struct zxing_code *code));

#ifdef __cplusplus
}
#endif
