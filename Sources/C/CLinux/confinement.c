// The rights and resources that a process gives up for good.

#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "CLinux.h"

int linux_give_up_privileges(void)
{
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) return -1;
    return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}

int linux_end_with_parent(void) { return prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0); }

const int linux_limit_memory = RLIMIT_AS, linux_limit_processor_seconds = RLIMIT_CPU,
          linux_limit_descriptors = RLIMIT_NOFILE, linux_limit_core = RLIMIT_CORE,
          linux_limit_processes = RLIMIT_NPROC,
          linux_limit_real_time = RLIMIT_RTPRIO, linux_limit_niceness = RLIMIT_NICE;

int linux_limit(int resource, uint64_t most)
{
    struct rlimit limit = {most, most};
    return setrlimit(resource, &limit);
}

// The C library has no functions for Landlock, and Debian 12's headers have only its first versions. These
// are the kernel's numbers (Documentation/userspace-api/landlock.rst).
struct ruleset {
    uint64_t files, network, scoped;
};
enum { create_ruleset = 444, restrict_self = 446, ask_version = 1 };

int linux_lock_files(void)
{
    long version = syscall(create_ruleset, NULL, 0, ask_version);
    if (version < 1) return 0;
    // Every handled right that no rule allows is forbidden. Each version of Landlock handles more of them.
    struct ruleset all = {.files = (1 << 13) - 1};
    size_t size = sizeof all.files;
    if (version >= 2) all.files |= 1 << 13;
    if (version >= 3) all.files |= 1 << 14;
    if (version >= 5) all.files |= 1 << 15;
    if (version >= 4) all.network = 3, size += sizeof all.network;
    if (version >= 6) all.scoped = 3, size += sizeof all.scoped;
    int rules = (int)syscall(create_ruleset, &all, size, 0);
    if (rules < 0) return -1;
    long answer = syscall(restrict_self, rules, 0);
    int number = errno;
    close(rules);
    errno = number;
    return answer ? -1 : 1;
}
