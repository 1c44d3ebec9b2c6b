// The declarations that the implementations for both versions share.

#pragma once

#include <gpiod.h>

#include "CGpiod.h"

// Only libgpiod 1 has line bulks, and defines this macro.
#ifdef GPIOD_LINE_BULK_MAX_LINES
#define IS_GPIOD_1 1
#else
#define IS_GPIOD_1 0
#endif

int gpio_copy(const char *text, char *to, size_t size);
/// Makes a descriptor non-blocking, so that a read without a pending edge returns at once.
int gpio_never_wait(int descriptor);
