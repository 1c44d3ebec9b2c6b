// libical, an independent implementation of recurrences, for tests and benchmarks.
#include <libical/ical.h>
