// Functions and constants of the C library that need _GNU_SOURCE or that Swift cannot import.

#define _GNU_SOURCE
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/vfs.h>

#include "CLinux.h"

const int linux_o_direct = O_DIRECT;

int linux_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

void linux_name_thread(const char *name) { pthread_setname_np(pthread_self(), name); }

void linux_give_memory_back(void) { malloc_trim(0); }

void linux_use_one_heap(void) { mallopt(M_ARENA_MAX, 1); }

int linux_memory_file(void) { return memfd_create("rooster", MFD_CLOEXEC); }

uint32_t linux_file_system_type(int descriptor) {
    struct statfs status;
    return fstatfs(descriptor, &status) == 0 ? (uint32_t)status.f_type : 0;
}

int linux_accept(int descriptor) { return accept4(descriptor, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK); }

long linux_peer_user(int descriptor) {
    struct ucred peer;
    socklen_t length = sizeof peer;
    return getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &length) == 0 ? (long)peer.uid : -1;
}
