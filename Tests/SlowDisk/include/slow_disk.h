// The calls that this library replaces. No program is linked with it.

#ifndef SLOW_DISK_H
#define SLOW_DISK_H

int fdatasync(int descriptor);
int fsync(int descriptor);

#endif
