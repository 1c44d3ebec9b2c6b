// `rooster journal check` and `dump`: read a journal, with or without a running service.

import Glibc
import Journal

enum JournalCommand {
    static let command = Subcommand(
        name: "journal",
        summary: "Check a journal, or print its records",
        help: """
            Usage: rooster journal check FILE|DIR [--json]
                   rooster journal dump FILE|DIR

            Check or print a journal: the directory in which roosterd keeps its records
            (/var/lib/rooster), or one file of it. The journal is not changed, and roosterd
            may be running.

            Commands:
              check     count the records and list everything that is damaged
              dump      print each record as a JSON line, the oldest first: sequence, at,
                        kind, name, payload; "bytes" in hexadecimal if the payload is not
                        JSON; "milliseconds" since 1970 if "at" is outside the years 1 to
                        9999

            Options:
              --json    check: print one JSON object: files, records, last, torn, damage,
                        spareDamage, setAside

            A torn tail is the incomplete end of a file, usually after a power cut; its
            records were never acknowledged. If it has whole records, roosterd keeps a copy
            in a file that ends in .tail. Damaged files are set aside and end in .aside.

            The exit status is 1 if anything is damaged or there is no journal.
            """,
        valued: [], flags: ["--json"], operands: ["check or dump", "FILE or DIR"], run: run)

    private static func run(_ arguments: CommandArguments) throws(CommandError) {
        let (verb, path) = (arguments.operands[0], arguments.operands[1])
        guard ["check", "dump"].contains(verb) else {
            throw arguments.wrong("The argument must be check or dump, not \(verb.debugDescription)")
        }
        let inspection = try inspect(path)
        if verb == "dump" {
            for record in inspection.records { print(JournalLines.json(record)) }
        } else {
            print(
                arguments.has("--json")
                    ? JournalLines.json(inspection).description : JournalLines.text(inspection, of: path))
        }
        if !inspection.damage.isEmpty { throw .notWell("The journal \(path) is damaged") }
        if !inspection.spareDamage.isEmpty { throw .notWell("The spare copy of the journal \(path) is damaged") }
    }

    private static func inspect(_ path: String) throws(CommandError) -> Inspection {
        guard access(path, F_OK) == 0 else { throw .notFound("There is no file or directory \(path)") }
        let inspection: Inspection
        do {
            inspection =
                isDirectory(path)
                ? try Inspection(journalOn: try LinuxDisk(directory: path)) : try inspect(fileAt: path)
        } catch JournalError.unreadable(let error) {
            throw .refused(
                sentences("\(path): \(JournalError.unreadable(error))", "roosterd does not treat it as empty"))
        } catch {
            throw .refused("\(path): \(error)")
        }
        guard !inspection.files.isEmpty || !inspection.setAside.isEmpty else {
            throw .notFound("There is no journal in \(path)")
        }
        return inspection
    }

    /// Inspects one file under its resolved name, since the path may be a symbolic link.
    private static func inspect(fileAt path: String) throws -> Inspection {
        let resolved = realpath(path, nil)
        defer { free(resolved) }
        let path = resolved.map { String(cString: $0) } ?? path
        guard let slash = path.lastIndex(of: "/") else {
            return try Inspection(file: path, on: try LinuxDisk(directory: "."))
        }
        let name = String(path[path.index(after: slash)...])
        return try Inspection(file: name, on: try LinuxDisk(directory: String(path[...slash])))
    }

    private static func isDirectory(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}
