// libevdev reads keys as the kernel tells them.
#include <libevdev/libevdev-uinput.h>
#include <libevdev/libevdev.h>
