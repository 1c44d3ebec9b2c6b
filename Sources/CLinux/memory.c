// Memory that nobody needs any more.

#include <malloc.h>

#include "CLinux.h"

void linux_give_memory_back(void) { malloc_trim(0); }
