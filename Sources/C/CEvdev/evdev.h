// libevdev, which reads key events from the kernel.
#include <libevdev/libevdev-uinput.h>
#include <libevdev/libevdev.h>
