// libsodium hashes what codes say.
#include <sodium.h>
