// libseccomp decides which system calls a program may make.
#include <seccomp.h>
