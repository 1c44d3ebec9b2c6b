// The waits of a faulty card or mixer. It polls, because a change of shared memory causes no event.

#include <stdint.h>
#include <unistd.h>

static inline void wait_milliseconds(int32_t milliseconds) { usleep(milliseconds * 1000); }

/// Blocks while the field is not zero.
static inline void wait_while(int32_t *hangs) {
    while (__atomic_load_n(hangs, __ATOMIC_SEQ_CST)) wait_milliseconds(2);
}
