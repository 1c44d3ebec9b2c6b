// `rooster code`: enrols, lists, tests, forgets and prints codes for the camera and tags for the reader.

import API
import Alarms
import Devices
import Text

enum CodeCommand {
    static let command = Subcommand.ofService(
        "code", "enrols, lists, tests, forgets and prints the codes for the camera, and tags",
        help: """
            Usage: rooster code enrol LABEL [--tag] [--json]
                   rooster code list [--json]
                   rooster code test [--tag] [--json]
                   rooster code cancel [--json]
                   rooster code forget LABEL [--json]
                   rooster code print LABEL [--output FILE] [--png]

            A code hangs where you have to get up for it. An alarm with '--code LABEL' rings until the camera has seen it. Where
            there is no camera to show it to, sums take its place: five at once, or ten when it has rung for ten minutes
            more, where the camera was pulled out while it rang or in the half hour before. An NFC tag does as well where there
            is a reader: with '--tag LABEL' an alarm rings until it has been held there.

              enrol    waits for a minute until a code is held before the camera, and knows it by LABEL from then on; on a
                       terminal it says how to hold it. Ctrl-C calls it off. Under the name of a code that is enrolled
                       already it puts another one in its place. What a code says is never shown: it goes by its
                       fingerprint. With --tag it is a tag that is held to the reader: any card or key ring that stays
                       the same, which those of phones do not
              list     the codes and tags that are enrolled, and which alarms ask for them
              test     waits like enrol, and says which code or tag it is
              cancel   ends what anybody waits for by enrol or test
              forget   not a code without which an alarm that is on could not be stopped; which alarms that are off miss it
                       then is said
              print    makes a sheet with a new code, another each time: print it, hang it up, then enrol it. A picture of
                       kind SVG goes to standard output. It needs no service; where one runs, the sheet shows the
                       fingerprint too by which that will list it

            While an alarm rings or is snoozed, no code is enrolled, tested or forgotten.

              --tag           enrol and test wait for a tag
              --output FILE   print writes into this new file, which only you may read: a PNG picture where it ends in .png
              --png           print makes a PNG picture
              --json          one JSON object. enrol: code (label, kind, "qr" or "tag", symbology, fingerprint, and the ids of
                              the alarms that ask for it) and another (whether a second code is wanted); test: label
                              (null where it is not enrolled), kind, fingerprint, symbology; cancel: scan (purpose, "enrol"
                              or "test", label, and kind; null where nobody waited); list: a code a line

            The exit status is 1 when no code was seen, and when the code of test is not enrolled.
            """,
        valued: ["--output"], flags: ["--png", "--tag"], words: ["enrol, list, test, cancel, forget or print"],
        optionalWords: ["LABEL"],
        run: run)

    private static let verbs = ["enrol", "list", "test", "cancel", "forget", "print"]

    private static func run(_ call: ServiceCall) throws(CommandError) {
        let arguments = call.arguments
        // Accepts the American spelling.
        let verb = arguments.words[0] == "enroll" ? "enrol" : arguments.words[0]
        let label = arguments.words.count > 1 ? arguments.words[1] : nil
        if verb != "print", let option = ["--output", "--png"].first(where: arguments.has) {
            throw arguments.wrong("\(option) is for print")
        }
        if verb != "enrol", verb != "test", arguments.has("--tag") {
            throw arguments.wrong("--tag is for enrol and test")
        }
        switch (verb, label) {
        case ("enrol", let label?): try enrol(label, call)
        case ("list", nil): try list(call)
        case ("test", nil): try test(call)
        case ("cancel", nil): try cancel(call)
        case ("forget", let label?): try forget(label, call)
        case ("print", let label?): try CodeSheet(label, call).print()
        case ("list", let word?), ("test", let word?), ("cancel", let word?):
            throw arguments.wrong("\(word.quoted) is one word too many")
        case (_, nil) where verbs.contains(verb): throw arguments.wrong("LABEL is missing: what the code is called")
        default:
            let meant = verbs.first(where: verb.isNearly).map { ": did you mean '\($0)'?" } ?? ""
            throw arguments.wrong("\(verb.quoted) is none of enrol, list, test, cancel, forget and print\(meant)")
        }
    }

    private static func enrol(_ label: String, _ call: ServiceCall) throws(CommandError) {
        let isTag = call.arguments.has("--tag")
        let what = isTag ? "tag" : "code"
        let answer = try CodeRequest(EnrolCode(label: label, kind: isTag ? .tag : .qr), isForTag: isTag, call).run()
        let code = answer.body.code
        var words = "Enrolled the \(what) \(label.quoted): its fingerprint is \(code.fingerprint.inOneLine)."
        if code.alarms.isEmpty {
            words += "\nNo alarm asks for it yet: 'rooster edit ALARM --\(what) \(label.asWord)' makes one do so."
        }
        if answer.body.another {
            let loss =
                isTag ? "broken or gone: 'rooster code enrol LABEL --tag'" : "torn or gone: 'rooster code enrol LABEL'"
            words += "\nEnrol a second one, for the day on which this one is \(loss)."
        }
        call.say(answer, words)
    }

    private static func test(_ call: ServiceCall) throws(CommandError) {
        let isTag = call.arguments.has("--tag")
        let (what, enrolling) = isTag ? ("tag", "LABEL --tag") : ("code", "LABEL")
        let answer = try CodeRequest(TestCode(), isForTag: isTag, call).run()
        let fingerprint = "its fingerprint is \(answer.body.fingerprint.inOneLine)"
        guard let label = answer.body.label else {
            let words =
                "this \(what) can be read, but is not enrolled: 'rooster code enrol \(enrolling)' does it; \(fingerprint)"
            throw .refused(words, answer: answer.forScripts)
        }
        call.say(answer, "This is the \(what) \(label.quoted): \(fingerprint).")
    }

    private static func cancel(_ call: ServiceCall) throws(CommandError) {
        let answer = try call.service.ask(CancelScan())
        let scan = answer.body.scan
        let what = scan?.isForTag == true ? "tag" : "code"
        let label = scan?.label.map { "the enrolment of the \(what) \($0.quoted)" }
        let words = scan == nil ? "Nobody enrols or tests a code." : "Called off \(label ?? "the test of a code")."
        call.say(answer, words)
    }

    private static func forget(_ label: String, _ call: ServiceCall) throws(CommandError) {
        let names = OptionNames.ofAlarms(try call.service.alarms().map(\.alarm))
        switch try call.service.reply(to: ForgetCode(label: label)) {
        case .success(let answer):
            call.say(answer, "Forgot \(label.quoted).", naming: names)
        case .failure(var error):
            let answer = error.forScripts
            for index in error.problems.indices {
                error.problems[index].message += ": 'rooster edit' gives it another first"
            }
            throw .refused(error.words(names), answer: answer)
        }
    }

    private static let howToBegin =
        "No code is enrolled. 'rooster code print LABEL --output sheet.svg' makes one to hang up, and 'rooster code enrol "
        + "LABEL' enrols what is held before the camera; with --tag, what is held to the reader of tags."

    private static func list(_ call: ServiceCall) throws(CommandError) {
        let codes = try call.service.codes()
        guard !call.isJSON else { return codes.forEach { print($0.line) } }
        guard !codes.isEmpty else { return print(howToBegin) }
        let alarms = try call.service.alarms().map(\.alarm)
        let rows = codes.map { code in
            let names = code.alarms.map { id in alarms.first { $0.id == id }?.shownName ?? ShownName.of(id, "") }
            return [
                Table.Cell(code.label.inOneLine, .bold), Table.Cell(code.kindInWords),
                Table.Cell(code.fingerprint.inOneLine),
                names.isEmpty ? Table.Cell("no alarm asks for it", .dim) : Table.Cell(names.joined(separator: ", ")),
            ]
        }
        call.show(Table(rows: rows, elastic: 0))
    }
}

extension CodeReport {
    /// The kind for people: "QR code", "EAN-13 code", "tag".
    var kindInWords: String {
        guard kind == .qr else { return kind.rawValue }
        return "\(Symbology(rawValue: symbology)?.name ?? symbology.inOneLine) code"
    }
}
