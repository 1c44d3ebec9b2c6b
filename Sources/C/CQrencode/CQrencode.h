// libqrencode, which generates QR codes.
#include <qrencode.h>
