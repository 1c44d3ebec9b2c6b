// A disk that commits as slowly as an SD card. A program that loads this library first waits after each commit.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <time.h>

#include "slow_disk.h"

// Cards of class A1 promise 500 writes a second at random places, which are 2 ms each.
enum { WRITE_NANOSECONDS = 2000000 };

static int commit(const char *call, int descriptor) {
    int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, call);
    int result = real(descriptor);
    struct timespec rest = {0, WRITE_NANOSECONDS};
    nanosleep(&rest, NULL);
    return result;
}

int fdatasync(int descriptor) { return commit("fdatasync", descriptor); }

int fsync(int descriptor) { return commit("fsync", descriptor); }
