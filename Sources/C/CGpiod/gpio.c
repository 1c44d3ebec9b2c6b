// The functions that do not depend on libgpiod's version.

#include "gpio.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

int gpio_copy(const char *text, char *to, size_t size) {
    if (size == 0) {
        errno = EINVAL;
        return -1;
    }
    to[0] = 0;
    if (text) strncat(to, text, size - 1);
    return 0;
}

int gpio_never_wait(int descriptor) {
    int flags = fcntl(descriptor, F_GETFL);
    return flags < 0 ? -1 : fcntl(descriptor, F_SETFL, flags | O_NONBLOCK);
}
