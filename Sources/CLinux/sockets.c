// Sockets that are never inherited.

#define _GNU_SOURCE
#include <sys/socket.h>

#include "CLinux.h"

int linux_accept(int descriptor) { return accept4(descriptor, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK); }
