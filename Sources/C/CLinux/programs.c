// Child processes: their descriptors, their signals and their end.

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "CLinux.h"

static int set_up(posix_spawn_file_actions_t *actions, posix_spawnattr_t *attributes, int line)
{
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    int failure = posix_spawnattr_setsigmask(attributes, &none);
    if (!failure) failure = posix_spawnattr_setsigdefault(attributes, &all);
    if (!failure) failure = posix_spawnattr_setpgroup(attributes, 0);
    if (!failure)
        failure = posix_spawnattr_setflags(
            attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
    // `line` is duplicated first: its number may be one that the next steps replace.
    if (!failure) failure = posix_spawn_file_actions_adddup2(actions, line, 3);
    for (int i = 0; i < 3 && !failure; i++)
        failure = posix_spawn_file_actions_addopen(actions, i, "/dev/null", i ? O_WRONLY : O_RDONLY, 0);
    if (!failure) failure = posix_spawn_file_actions_addclosefrom_np(actions, 4);
    return failure;
}

int linux_start_program(const char *program, char *const arguments[], int line, int *process)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int failure = posix_spawn_file_actions_init(&actions);
    if (failure) return failure;
    failure = posix_spawnattr_init(&attributes);
    if (!failure) {
        failure = set_up(&actions, &attributes, line);
        pid_t started = 0;
        if (!failure) failure = posix_spawn(&started, program, &actions, &attributes, arguments, environ);
        *process = started;
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    return failure;
}

int linux_await_end(int process)
{
    siginfo_t end;
    int answer;
    do answer = waitid(P_PID, (id_t)process, &end, WEXITED | WNOWAIT);
    while (answer < 0 && errno == EINTR);
    return answer;
}

int linux_packet_line(int ends[2])
{
    return socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends);
}
