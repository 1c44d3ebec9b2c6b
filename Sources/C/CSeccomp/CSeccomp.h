// libseccomp, which restricts the system calls of a process.
#include <seccomp.h>
