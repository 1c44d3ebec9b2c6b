// libudev tells when a card is plugged in or pulled out.
#include <libudev.h>
