// Flags of open() that the C library shows only to those who ask for GNU's additions.

#define _GNU_SOURCE
#include <fcntl.h>

#include "CLinux.h"

const int linux_o_direct = O_DIRECT;
