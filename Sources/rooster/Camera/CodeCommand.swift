// `rooster code`: enrols, lists, tests, forgets and prints codes for the camera and tags for the reader.

import API
import Alarms
import Devices
import Text

enum CodeCommand {
    static let command = Subcommand.ofService(
        "code", "Manage the codes and tags that end a ring",
        help: """
            Usage: rooster code enrol LABEL [--tag] [OPTIONS]
                   rooster code [list] [OPTIONS]
                   rooster code test [--tag] [OPTIONS]
                   rooster code cancel [OPTIONS]
                   rooster code forget LABEL [OPTIONS]
                   rooster code print LABEL [--output FILE] [--png] [OPTIONS]
                   rooster code picture --output FILE [OPTIONS]

            Manage the codes and tags that end a ring. A code hangs where you have to get up
            for it: an alarm with '--code LABEL' rings until the camera has seen it. With an
            NFC reader, an alarm with '--tag LABEL' rings until the tag was held to it.

            Commands:
              enrol           wait a minute for a code in front of the camera, and enrol it
                              under LABEL; a code of the same label is replaced
              list            list the codes and tags and the alarms that ask for them
              test            wait a minute for a code, and show which one it is
              cancel          cancel an enrolment or test, also of another client
              forget          delete a code or tag; refused if an alarm that is on could not
                              be stopped without it
              print           write a page with a new code, different each time, to print,
                              hang up and enrol; needs no service
              picture         write the present picture of the camera as a small JPEG, to
                              aim the camera; Rooster itself stores no picture

            Options:
              --tag           enrol, test: wait for an NFC tag. A phone is not one, because
                              its number changes each time
              --output FILE   print: new file, as PNG if it ends in .png, otherwise as SVG
                              (default: SVG on standard output); picture: new file, or -
                              for standard output
              --png           print: write PNG
              --json          print one JSON object; enrol: code (label, kind "qr" or "tag",
                              symbology, fingerprint, alarms), another (true if you should
                              enrol a second one); test: label (null if not enrolled), kind,
                              fingerprint, symbology; cancel: scan (purpose, label, kind; or
                              null); list: one code a line

            Rooster stores a hash of a code and shows only its fingerprint. While an alarm
            rings or is snoozed, no code is enrolled, tested or forgotten. If the camera is
            broken or unplugged, an alarm asks for sums instead of its code after a while.

            The exit status is 1 if no code was seen, or if the tested one is not enrolled.
            """,
        valued: ["--output"], flags: ["--png", "--tag"], optionalOperands: ["COMMAND", "LABEL"],
        run: run)

    private static let verbs = ["enrol", "list", "test", "cancel", "forget", "print", "picture"]

    private static func run(_ call: ServiceCall) throws(CommandError) {
        let arguments = call.arguments
        // Accepts the American spelling.
        let given = arguments.operands.first ?? "list"
        let verb = given == "enroll" ? "enrol" : given
        let label = arguments.operands.count > 1 ? arguments.operands[1] : nil
        if verb != "print", arguments.has("--png") { throw arguments.wrong("--png can be used with print only") }
        if verb != "print", verb != "picture", arguments.has("--output") {
            throw arguments.wrong("--output can be used with print and picture only")
        }
        if verb != "enrol", verb != "test", arguments.has("--tag") {
            throw arguments.wrong("--tag can be used with enrol and test only")
        }
        switch (verb, label) {
        case ("enrol", let label?): try enrol(label, call)
        case ("list", nil): try list(call)
        case ("test", nil): try test(call)
        case ("cancel", nil): try cancel(call)
        case ("forget", let label?): try forget(label, call)
        case ("print", let label?): try CodeSheet(label, call).print()
        case ("picture", nil): try CameraPicture(call).save()
        case ("list", let word?), ("test", let word?), ("cancel", let word?), ("picture", let word?):
            throw arguments.wrong("The argument \(word.quoted) is not expected")
        case (_, nil) where verbs.contains(verb): throw arguments.wrong("LABEL is missing: a name for the code")
        default:
            let meant = verbs.first(where: verb.isNearly).map { "Did you mean '\($0)'?" }
            throw arguments.wrong(
                sentences(
                    "The argument must be enrol, list, test, cancel, forget, print or picture, not \(verb.quoted)",
                    meant))
        }
    }

    private static func enrol(_ label: String, _ call: ServiceCall) throws(CommandError) {
        let isTag = call.arguments.has("--tag")
        let what = isTag ? "tag" : "code"
        let old = call.isJSON ? nil : try call.service.codes().first { $0.label == label }
        let answer = try CodeRequest(EnrolCode(label: label, kind: isTag ? .tag : .qr), isForTag: isTag, call).run()
        let code = answer.body.code
        var text = "Enrolled the \(what) \(label.quoted) (fingerprint \(code.fingerprint.inOneLine))"
        if let old, old.fingerprint != code.fingerprint {
            text += "\nIt replaces another \(what) of this name (fingerprint \(old.fingerprint.inOneLine))"
            let names = try names(of: code.alarms, call)
            if !names.isEmpty { text += ", which \(names) asked for" }
        }
        if code.alarms.isEmpty {
            text +=
                "\nNo alarm asks for this \(what) yet: 'rooster edit ALARM --\(what) \(label.asWord)' adds it to one"
        }
        if answer.body.another {
            let enrolling = "'rooster code enrol LABEL\(isTag ? " --tag" : "")'"
            text += "\nEnrol a second \(what) in case this one is lost or broken: \(enrolling)"
        }
        call.say(answer, text)
    }

    private static func test(_ call: ServiceCall) throws(CommandError) {
        let isTag = call.arguments.has("--tag")
        let (what, enrolling) = isTag ? ("tag", "LABEL --tag") : ("code", "LABEL")
        let answer = try CodeRequest(TestCode(), isForTag: isTag, call).run()
        let fingerprint = "fingerprint \(answer.body.fingerprint.inOneLine)"
        guard let label = answer.body.label else {
            throw .refused(
                sentences(
                    "This \(what) is not enrolled (\(fingerprint))", "'rooster code enrol \(enrolling)' enrols it"),
                answer: answer.forScripts)
        }
        call.say(answer, "This is the \(what) \(label.quoted) (\(fingerprint))")
    }

    private static func cancel(_ call: ServiceCall) throws(CommandError) {
        let answer = try call.service.ask(CancelScan())
        let scan = answer.body.scan
        let what = scan?.isForTag == true ? "tag" : "code"
        let label = scan?.label.map { "the enrolment of the \(what) \($0.quoted)" }
        let text = scan == nil ? "No code is being enrolled or tested" : "Cancelled \(label ?? "the test of a code")"
        call.say(answer, text)
    }

    private static func forget(_ label: String, _ call: ServiceCall) throws(CommandError) {
        let names = OptionNames.ofAlarms(try call.service.alarms().map(\.alarm))
        switch try call.service.reply(to: ForgetCode(label: label)) {
        case .success(let answer):
            call.say(answer, "Forgot \(label.quoted)", naming: names)
        case .failure(var error):
            let answer = error.forScripts
            for index in error.problems.indices {
                error.problems[index].message = sentences(
                    error.problems[index].message, "First add another one with 'rooster edit'")
            }
            throw .refused(error.text(names), answer: answer)
        }
    }

    /// Returns the names of alarms: "Work", "Work and Pills".
    private static func names(of ids: [Alarm.ID], _ call: ServiceCall) throws(CommandError) -> String {
        guard !ids.isEmpty else { return "" }
        let alarms = try call.service.alarms().map(\.alarm)
        let names = ids.map { id in alarms.first { $0.id == id }?.shownName ?? ShownName.of(id, "") }
        return names.joined(separator: " and ", exceptLast: ", ")
    }

    private static let howToBegin =
        "No code is enrolled. 'rooster code print LABEL --output sheet.svg' writes one to hang up, 'rooster code enrol "
        + "LABEL' enrols it, and 'rooster code enrol LABEL --tag' enrols a tag."

    private static func list(_ call: ServiceCall) throws(CommandError) {
        let codes = try call.service.codes()
        guard !call.isJSON else { return codes.forEach { print($0.line) } }
        guard !codes.isEmpty else { return print(howToBegin) }
        let alarms = try call.service.alarms().map(\.alarm)
        let rows = codes.map { code in
            let names = code.alarms.map { id in alarms.first { $0.id == id }?.shownName ?? ShownName.of(id, "") }
            return [
                Table.Cell(code.label.inOneLine, .bold), Table.Cell(code.kindText),
                Table.Cell(code.fingerprint.inOneLine),
                names.isEmpty ? Table.Cell("no alarm asks for it", .dim) : Table.Cell(names.joined(separator: ", ")),
            ]
        }
        call.show(Table(rows: rows, elastic: 0))
    }
}

extension CodeReport {
    /// The kind for people: "QR code", "EAN-13 code", "tag".
    var kindText: String {
        guard kind == .qr else { return kind.rawValue }
        return "\(Symbology(rawValue: symbology)?.name ?? symbology.inOneLine) code"
    }
}
