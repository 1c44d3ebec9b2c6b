// How a card or a mixer hangs: the program that tells it so does it through memory, which reports nothing.

#include <stdint.h>
#include <unistd.h>

static inline void wait_milliseconds(int32_t milliseconds) { usleep(milliseconds * 1000); }

/// Hangs for as long as the field says so.
static inline void wait_while(int32_t *hangs) {
    while (__atomic_load_n(hangs, __ATOMIC_SEQ_CST)) wait_milliseconds(2);
}
