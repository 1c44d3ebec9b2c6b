// libpng, which reads and writes PNG pictures.
#include <png.h>
