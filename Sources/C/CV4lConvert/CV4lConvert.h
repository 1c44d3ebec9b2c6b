// libv4lconvert reads the formats that only some cameras have.
#include <libv4lconvert.h>
