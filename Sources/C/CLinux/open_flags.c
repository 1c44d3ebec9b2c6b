// Flags of open() that the C library declares only with _GNU_SOURCE.

#define _GNU_SOURCE
#include <fcntl.h>

#include "CLinux.h"

const int linux_o_direct = O_DIRECT;
