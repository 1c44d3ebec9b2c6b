// The width of a character on a terminal, which the C library computes by the current locale.

#define _GNU_SOURCE
#include <locale.h>
#include <stddef.h>
#include <wchar.h>

#include "CLinux.h"

void linux_columns(const uint32_t *scalars, size_t count, int *columns)
{
    // The locale of the process must not change.
    locale_t unicode = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
    locale_t before = unicode ? uselocale(unicode) : (locale_t)0;
    for (size_t i = 0; i < count; i++) columns[i] = wcwidth((wchar_t)scalars[i]);
    if (before) uselocale(before);
    if (unicode) freelocale(unicode);
}
