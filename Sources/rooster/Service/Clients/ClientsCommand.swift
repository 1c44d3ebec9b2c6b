// `rooster clients`: lists and forgets the clients over HTTP.

import API
import JSON
import Text

enum ClientsCommand {
    static let command = Subcommand.ofService(
        "clients", "List or forget phones, pages and scripts",
        help: """
            Usage: rooster clients [list] [OPTIONS]
                   rooster clients forget CLIENT [OPTIONS]

            List or forget the clients over HTTP: the pages of phones and browsers, and the
            scripts with a token. A client that is forgotten has to be paired again.

            CLIENT is a name or an id, as 'rooster clients' shows them.

            A client may look (see everything but secrets), use (also handle rings: snooze,
            stop, answer, skip and so on) or change (everything). It is forgotten after 400
            days without a request.

            Options:
              --json           list: print one JSON object a line: id, name, kind ("page"
                               or "script"), may, day (its last day)
            """,
        optionalOperands: ["list or forget", "CLIENT"], run: run)

    private static func run(_ call: ServiceCall) throws(CommandError) {
        let operands = call.arguments.operands
        switch (operands.first ?? "list", operands.count) {
        case ("list", ...1): try list(call)
        case ("forget", 2): try forget(operands[1], call)
        case ("forget", _): throw call.arguments.wrong("CLIENT is missing")
        case ("list", _): throw call.arguments.wrong("The argument \(operands[1].quoted) is not expected")
        case (let word, _):
            throw call.arguments.wrong("The argument must be list or forget, not \(word.quoted)")
        }
    }

    private static func list(_ call: ServiceCall) throws(CommandError) {
        let clients = try call.service.clients()
        guard !call.isJSON else { return clients.forEach { print($0.line) } }
        guard !clients.isEmpty else {
            return print("No client is paired. 'rooster pair' pairs a phone, 'rooster token add NAME' is for a script.")
        }
        let rows = clients.map { client in
            [
                Table.Cell(client.name.inOneLine, .bold), Table.Cell(client.kind.rawValue),
                Table.Cell("may \(client.may.rawValue)"), Table.Cell("last on \(client.day)"),
                Table.Cell(client.id.inOneLine, .dim),
            ]
        }
        call.show(Table(rows: rows, elastic: 0))
    }

    private static func forget(_ name: String, _ call: ServiceCall) throws(CommandError) {
        let client = try call.service.client(called: name)
        call.say(try call.service.ask(ForgetClient(client: client.id)), "Forgot \(client.name.quoted)")
    }
}

extension RunningService {
    func clients() throws(CommandError) -> [ClientReport] { try ask(ListClients()).body.clients }

    /// Returns the client with this id or name. Names need not be unique.
    fileprivate func client(called name: String) throws(CommandError) -> ClientReport {
        let clients = try clients()
        if let client = clients.first(where: { $0.id == name }) { return client }
        let named = clients.filter { $0.name.lowercased() == name.lowercased() }
        guard named.count > 1 else {
            guard let client = named.first else {
                throw .notFound(sentences("There is no client \(name.quoted)", "'rooster clients' lists all"))
            }
            return client
        }
        let ids = named.map(\.id.inOneLine).joined(separator: ", ")
        throw .refused("\(name.quoted) may mean any of \(named.count) clients. Name one by its id: \(ids).")
    }
}
