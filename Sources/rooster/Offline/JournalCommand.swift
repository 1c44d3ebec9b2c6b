// `rooster journal check` and `dump`: read a journal, with or without a running service.

import Glibc
import Journal

enum JournalCommand {
    static let command = Subcommand(
        name: "journal",
        summary: "checks a journal, or prints what is in it",
        help: """
            Usage: rooster journal check FILE|DIR [--json]
                   rooster journal dump FILE|DIR

            Looks at a journal (the directory that roosterd keeps, /var/lib/rooster on most systems) or at a single
            file of one. It changes nothing, and may be used while roosterd runs.

              check    says how many records there are, and everything that is damaged
              dump     prints every record as a JSON line, oldest first: sequence, at, kind, name, payload; a payload
                       that is not JSON is printed in hexadecimal, as "bytes", and an instant before the year 1 or
                       after 9999 as "milliseconds" since 1970

              --json   check prints one JSON object: files, records, last, torn, damage, spareDamage,
                       setAside

            A torn tail comes behind the last whole append: mostly it is what a power cut left of one that was never
            acknowledged. With whole records in it, it may be more: then roosterd keeps a copy of it when it starts, in a
            file that ends in .tail. Damaged files are set aside, and end in .aside.

            The exit status is 1 when anything is damaged, or when there is no journal.
            """,
        valued: [], flags: ["--json"], words: ["check or dump", "FILE or DIR"], run: run)

    private static func run(_ arguments: CommandArguments) throws(CommandError) {
        let (verb, path) = (arguments.words[0], arguments.words[1])
        guard ["check", "dump"].contains(verb) else {
            throw arguments.wrong("\(verb.debugDescription) is neither check nor dump")
        }
        let inspection = try inspect(path)
        if verb == "dump" {
            for record in inspection.records { print(JournalLines.json(record)) }
        } else {
            print(
                arguments.has("--json")
                    ? JournalLines.json(inspection).description : JournalLines.words(inspection, of: path))
        }
        if !inspection.damage.isEmpty { throw .notWell("\(path): the journal is damaged") }
        if !inspection.spareDamage.isEmpty { throw .notWell("\(path): the journal's second chance is damaged") }
    }

    private static func inspect(_ path: String) throws(CommandError) -> Inspection {
        let inspection: Inspection
        do {
            inspection =
                isDirectory(path)
                ? try Inspection(journalOn: try LinuxDisk(directory: path)) : try inspect(fileAt: path)
        } catch JournalError.unreadable(let error) {
            throw .refused("\(path): \(JournalError.unreadable(error)); roosterd does not take it for empty")
        } catch {
            throw .refused("\(path): \(error)")
        }
        guard !inspection.files.isEmpty || !inspection.setAside.isEmpty else {
            throw .notFound("\(path): there is no journal in this directory")
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
