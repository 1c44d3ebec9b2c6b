// zbar, which reads codes in pictures: QR and those on goods.
#include <zbar.h>
