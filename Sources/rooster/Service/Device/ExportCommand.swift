// `rooster export` and `rooster import`: all alarms, calendars, settings and codes as one file.

import API
import JSON
import Text

enum ExportCommand {
    static let command = Subcommand.ofService(
        "export", "Write alarms, settings and codes to a file",
        help: """
            Usage: rooster export [FILE] [OPTIONS]

            Write all alarms, calendars, settings and codes to FILE or standard output.
            'rooster import' reads it. An existing file is kept.

            Codes are written as hashes, with the key of the hashes: keep such a file like a
            spare key. Only you may read it.

            Options:
              --json          write the file on one line
            """,
        optionalOperands: ["FILE"], run: run)

    private static let restoring =
        "'rooster import' restores its alarms, calendars and missing codes, 'rooster import --backup' everything"

    private static func run(_ call: ServiceCall) throws(CommandError) {
        let file = try call.service.ask(ExportAll()).body.file
        let text = call.isJSON ? "\(file.line)\n" : file.json.sheet
        guard let path = call.arguments.operands.first, path != "-" else { return print(text, terminator: "") }
        try NewFile(path, mode: 0o600).write(Array(text.utf8))
        if !call.isJSON { print(sentences("Wrote \(path.asSentence)", restoring)) }
    }
}

enum ImportCommand {
    static let command = Subcommand.ofService(
        "import", "Read alarms, or a whole backup, from a file",
        help: """
            Usage: rooster import FILE [--backup] [OPTIONS]

            Read alarms, calendars and new codes from an alarms file; - is standard input.

            An alarm with a known id is replaced. An alarm with a mistake is left out, and
            one whose challenges this device cannot do is switched off; each is named. So is
            each new code, since it can end a ring from now on.

            Options:
              --backup        restore the whole file, with settings and codes, and delete
                              everything that it does not have
              --json          print one JSON object: alarms (number read), codes (names of
                              the new ones), setAside, warnings

            The exit status is 1 if an alarm was left out or switched off.
            """,
        flags: ["--backup"], operands: ["FILE"], run: run)

    private static func run(_ call: ServiceCall) throws(CommandError) {
        let path = call.arguments.operands[0]
        let file = try json(at: path)
        let isBackup = call.arguments.has("--backup")
        let answer: SuccessResponse<ImportFile.Response>
        switch try call.service.reply(to: ImportFile(file: AlarmsDocument(file), backup: isBackup)) {
        case .success(let done): answer = done
        case .failure(let error):
            throw .refused(
                sentences(error.text(), isBackup ? "Nothing was imported" : nil), answer: error.forScripts)
        }
        let (count, setAside) = (answer.body.alarms, answer.body.setAside)
        let all = file.alarmCount ?? count
        let some = count == all ? "\(count)" : count == 0 ? "none of \(all)" : "\(count) of \(all)"
        let codes = text(answer.body.codes, isBackup)
        call.say(answer, "Imported \(some) \(all == 1 ? "alarm" : "alarms")\(codes.isEmpty ? "" : "\n\(codes)")")
        if !setAside.isEmpty {
            throw .notWell(
                setAside.map { problem in
                    sentences("\(shownPath(path)): \("\(problem)".asSentence)", advice(problem))
                }.joined(separator: "\nrooster: "))
        }
    }

    /// Lists the imported codes, because this owner may not have seen them before.
    private static func text(_ codes: [String], _ isBackup: Bool) -> String {
        guard !codes.isEmpty else { return "" }
        let names = codes.prefix(10).map(\.quoted).joined(separator: ", ") + (codes.count > 10 ? ", …" : "")
        let (these, they) = codes.count == 1 ? ("code", "it") : ("codes", "they")
        return sentences(
            "Imported the \(isBackup ? "" : "new ")\(these) \(names): \(they) can end a ring from now on",
            "'rooster code list' shows all")
    }

    private static func advice(_ problem: ProblemReport) -> String? {
        guard problem.message.contains("enrolled") else { return nil }
        let enrols = "'rooster code enrol LABEL\(problem.message.contains("no tag ") ? " --tag" : "")' enrols one"
        let isKept = problem.message.contains("not changed")
        return isKept
            ? "\(enrols), then import the file again" : "\(enrols), then 'rooster enable' switches the alarm on"
    }
}

extension JSON {
    /// The number of alarms in an alarms file, valid or not; nil if it has no list of alarms.
    fileprivate var alarmCount: Int? {
        if case .array(let alarms)? = member("alarms") { alarms.count } else { nil }
    }
}
