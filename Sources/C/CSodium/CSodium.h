// libsodium, which hashes the payloads of codes.
#include <sodium.h>
