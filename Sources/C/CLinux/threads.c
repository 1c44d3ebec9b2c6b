// The name of a thread, and the descriptor that wakes one.

#define _GNU_SOURCE
#include <pthread.h>
#include <sys/eventfd.h>

#include "CLinux.h"

int linux_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

void linux_name_thread(const char *name) { pthread_setname_np(pthread_self(), name); }
