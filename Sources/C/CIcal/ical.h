// libical, as an independent opinion on recurrences: for tests and benchmarks.
#include <libical/ical.h>
