// `rooster export` and `rooster import`: all alarms, calendars, settings and codes as one file.

import API
import JSON
import Text

enum ExportCommand {
    static let command = Subcommand.ofService(
        "export", "writes alarms, calendars, settings and codes (as hashes) to a file",
        help: """
            Usage: rooster export [FILE] [--json]

            Writes alarms, calendars, settings and codes (as hashes) as an alarms file, to standard output or to a new
            FILE, which only you may read. A file that is there already is kept.

            Where codes are enrolled, the key that makes their hashes is in it too (codes, codeKeys): keep such a file like a
            spare key.

              --json   the file on one line
            """,
        optionalWords: ["FILE"], run: run)

    private static let backAgain =
        "'rooster import' brings back the alarms, the calendars and the codes that are missing, and with --backup the rest"

    private static func run(_ call: ServiceCall) throws(CommandError) {
        let file = try call.service.ask(ExportAll()).body.file
        let text = call.isJSON ? "\(file.line)\n" : file.json.sheet
        guard let path = call.arguments.words.first, path != "-" else { return print(text, terminator: "") }
        try NewFile(path, mode: 0o600).write(Array(text.utf8))
        if !call.isJSON { print("Written to \(path.asSentence): \(backAgain).") }
    }
}

enum ImportCommand {
    static let command = Subcommand.ofService(
        "import", "takes in the alarms of a file, or a whole backup",
        help: """
            Usage: rooster import FILE [--backup] [--json]

            Takes in the alarms and calendars of an alarms file, and those of its codes whose names are not known here; - reads
            standard input. Each code that comes in is named: it can end a ring from then on. An alarm with an id that is known
            already is replaced. An alarm that cannot be taken is named and left out, one whose challenges cannot be met is named
            and comes in switched off; the others come in as they are.

              --backup   leaves what the file has and nothing else: alarms, calendars, codes and settings, as when a device
                         takes another's place, or all is to be as it was
              --json     one JSON object: alarms (how many came in), codes (the names of those that came in), setAside,
                         warnings

            The exit status is 1 when not all came in as they are.
            """,
        flags: ["--backup"], words: ["FILE"], run: run)

    private static func run(_ call: ServiceCall) throws(CommandError) {
        let path = call.arguments.words[0]
        let file = try json(at: path)
        let isBackup = call.arguments.has("--backup")
        let answer = try call.service.ask(ImportFile(file: AlarmsDocument(file), backup: isBackup))
        let (count, setAside) = (answer.body.alarms, answer.body.setAside)
        let all = file.alarmCount ?? count
        let some = count == all ? "\(count)" : "\(count) of \(all)"
        call.say(answer, "\(some) \(all == 1 ? "alarm" : "alarms") came in.\(words(answer.body.codes, isBackup))")
        if !setAside.isEmpty {
            throw .notWell(
                setAside.map { "\(shownPath(path)): \("\($0)".asSentence)\(advice($0))" }.joined(
                    separator: "\nrooster: "))
        }
    }

    /// Lists the imported codes, because this owner may not have seen them before.
    private static func words(_ codes: [String], _ isBackup: Bool) -> String {
        guard !codes.isEmpty else { return "" }
        let names = codes.prefix(10).map(\.quoted).joined(separator: ", ") + (codes.count > 10 ? ", …" : "")
        let these = codes.count == 1 ? "So did the code" : "So did the codes"
        return "\n\(these) \(names)\(isBackup ? "" : ", not known here until now"): 'rooster code list' shows all."
    }

    private static func advice(_ problem: ProblemReport) -> String {
        let isTag = problem.message.hasPrefix("no tag named ")
        guard isTag || problem.message.hasPrefix("no code named ") else { return "" }
        return ": 'rooster code enrol LABEL\(isTag ? " --tag" : "")' enrols one, 'rooster enable' switches it on then"
    }
}

extension JSON {
    /// The number of alarms in an alarms file, valid or not; nil if it has no list of alarms.
    fileprivate var alarmCount: Int? {
        if case .array(let alarms)? = member("alarms") { alarms.count } else { nil }
    }
}
