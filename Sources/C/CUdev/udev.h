// libudev, which reports devices that are plugged in or removed.
#include <libudev.h>
