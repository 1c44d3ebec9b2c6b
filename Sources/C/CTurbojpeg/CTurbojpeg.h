// libjpeg-turbo reads JPEG pictures, those of cameras too.
#include <turbojpeg.h>
