// libjpeg-turbo, which reads JPEG pictures, also those of cameras.
#include <turbojpeg.h>
