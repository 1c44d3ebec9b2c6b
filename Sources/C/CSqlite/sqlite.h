// SQLite, as another way to keep records: for benchmarks only.
#include <sqlite3.h>
