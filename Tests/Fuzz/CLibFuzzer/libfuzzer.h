// libFuzzer's own entry: it has no header of its own, its documentation gives the declaration.

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*run)(const uint8_t *bytes, size_t count));
