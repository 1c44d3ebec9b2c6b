// The same records in SQLite, with a write-ahead log and a sync at each commit.

import CSqlite
import Journal

/// A table of records in its own database.
final class SqliteLog {
    private var database: OpaquePointer?
    private var insertion: OpaquePointer?

    init(_ path: String) throws {
        try check(sqlite3_open(path, &database))
        try run("PRAGMA journal_mode=WAL")
        try run("PRAGMA synchronous=FULL")
        try run("CREATE TABLE record (sequence INTEGER PRIMARY KEY, at INTEGER, kind INTEGER, payload BLOB)")
        try check(
            sqlite3_prepare_v2(
                database, "INSERT INTO record (at, kind, payload) VALUES (?, ?, ?)", -1, &insertion, nil))
    }

    deinit {
        sqlite3_finalize(insertion)
        sqlite3_close(database)
    }

    /// Inserts one record. Outside a transaction each insertion is a commit.
    func append(_ new: NewRecord) throws {
        sqlite3_bind_int64(insertion, 1, new.millisecondsSince1970)
        sqlite3_bind_int(insertion, 2, Int32(new.kind.rawValue))
        try new.payload.withUnsafeBytes { payload in
            // The bytes stay in place until the statement has run, so SQLite need not copy them.
            sqlite3_bind_blob(insertion, 3, payload.baseAddress, Int32(payload.count), nil)
            guard sqlite3_step(insertion) == SQLITE_DONE else { throw failure }
        }
        sqlite3_reset(insertion)
    }

    func run(_ statement: String) throws {
        try check(sqlite3_exec(database, statement, nil, nil, nil))
    }

    /// Returns the number of distinct records.
    func count() throws -> Int {
        var selection: OpaquePointer?
        try check(sqlite3_prepare_v2(database, "SELECT count(DISTINCT payload) FROM record", -1, &selection, nil))
        defer { sqlite3_finalize(selection) }
        guard sqlite3_step(selection) == SQLITE_ROW else { throw failure }
        return Int(sqlite3_column_int(selection, 0))
    }

    private func check(_ status: CInt) throws {
        guard status == SQLITE_OK else { throw failure }
    }

    private var failure: BenchmarkRefusal { .wrongAnswer("SQLite: \(String(cString: sqlite3_errmsg(database)))") }
}
