// The removal of a directory with its contents.

#define _GNU_SOURCE
#include <ftw.h>
#include <stdio.h>

#include "CLinux.h"

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *place)
{
    (void)status, (void)kind, (void)place;
    return remove(path);
}

int linux_remove_all(const char *directory)
{
    // The contents of a directory are removed before it.
    return nftw(directory, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}
