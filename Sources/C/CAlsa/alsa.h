// ALSA's library, and what of it Swift cannot see or call.
#include <alsa/asoundlib.h>

static void alsa_say_nothing(const char *file, int line, const char *function, int error, const char *format, ...) {}

/// Whoever calls the library says what went wrong in his own words: it needs not print its own.
static inline void alsa_keep_quiet(void) { snd_lib_error_set_handler(alsa_say_nothing); }
