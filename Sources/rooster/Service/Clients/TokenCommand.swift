// `rooster token`: makes a token for a script.

import API
import JSON
import Text

enum TokenCommand {
    static let command = Subcommand.ofService(
        "token", "Make a token for a script over HTTP",
        help: """
            Usage: rooster token add NAME [--may RIGHTS] [OPTIONS]

            Make a token, with which a script may use Rooster over HTTP. It is printed once,
            alone on standard output, and Rooster keeps only its hash. The history shows
            NAME for each act of the script. 'rooster clients forget NAME' forgets it.

            A script sends its token in a header: Authorization: Bearer TOKEN

            Options:
              --may RIGHTS    look (see everything but secrets), use (also handle rings:
                              snooze, stop, answer, skip and so on) or change (everything);
                              default: look
              --json          print one JSON object: client (id, name, kind, may, day),
                              token
            """,
        valued: ["--may"], operands: ["add", "NAME"], run: run)

    private static func run(_ call: ServiceCall) throws(CommandError) {
        let arguments = call.arguments
        guard arguments.operands[0] == "add" else {
            throw arguments.wrong("The argument must be add, not \(arguments.operands[0].quoted)")
        }
        let request = AddToken(
            name: arguments.operands[1],
            may: try arguments.value("--may", "look, use or change") { .init(rawValue: $0) } ?? .look)
        let answer = try call.service.ask(request)
        guard !call.isJSON else { return print(answer.forScripts.line) }
        print(answer.body.token)
        complain(
            "rooster: Keep the token where only the script can read it, and send it as 'Authorization: Bearer TOKEN'. "
                + "It is not shown again.")
    }
}
