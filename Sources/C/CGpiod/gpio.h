// What the two halves of this shim share.

#pragma once

#include <gpiod.h>

#include "CGpiod.h"

// Of the two libgpiods only the first has bulks with room for so many lines.
#ifdef GPIOD_LINE_BULK_MAX_LINES
#define IS_GPIOD_1 1
#else
#define IS_GPIOD_1 0
#endif

int gpio_copy(const char *text, char *to, size_t size);
/// An edge that is not there is no reason to wait.
int gpio_never_wait(int descriptor);
