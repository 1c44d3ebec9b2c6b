// SQLite, another way to store records, for benchmarks only.
#include <sqlite3.h>
