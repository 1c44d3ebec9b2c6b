// The heap: freed memory goes back to the system.

#include <malloc.h>

#include "CLinux.h"

void linux_give_memory_back(void) { malloc_trim(0); }

void linux_use_one_heap(void) { mallopt(M_ARENA_MAX, 1); }
