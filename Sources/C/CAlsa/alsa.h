// ALSA's library, and the parts that Swift cannot call.
#include <alsa/asoundlib.h>

static void alsa_say_nothing(const char *file, int line, const char *function, int error, const char *format, ...) {}

/// Silences the library's own error messages. Its callers report errors themselves.
static inline void alsa_keep_quiet(void) { snd_lib_error_set_handler(alsa_say_nothing); }
