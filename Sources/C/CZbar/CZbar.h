// zbar reads codes in pictures: QR and what is printed on goods.
#include <zbar.h>
