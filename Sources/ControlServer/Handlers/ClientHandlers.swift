// The handlers of requests about clients over HTTP.

import API
import Devices
import Engine
import Service
import Text

extension Hello: RequestHandler {
    func handle(_ context: HandlerContext, at service: isolated Service, then send: @escaping Completion<Response>) {
        let client = context.client.map { ClientReport($0) }
        send(
            .success(
                SuccessResponse(Response(simulated: service.bedside.isSimulated, ways: [], client: client))))
    }
}

extension ListClients: Query {
    func response(from engine: Engine) throws(ErrorResponse) -> Response {
        Response(clients: engine.knownClients.map { ClientReport($0) })
    }
}

extension ForgetClient: Mutation {
    func command(at service: isolated Service) -> (command: Command, problems: [Problem]) {
        (.client(.forget(client)), [])
    }
}

extension AddToken: RequestHandler {
    func handle(_ context: HandlerContext, at service: isolated Service, then send: @escaping Completion<Response>) {
        guard let new = NewClient(for: context, name: name, kind: .script, may: may, at: service) else {
            return send(.failure(.noSecrets))
        }
        service.ask(.client(.add(new.client)), context.header) { reply, _ in send(new.response(to: reply)) }
    }
}

extension ErrorResponse {
    fileprivate static let noSecrets = ErrorResponse(
        .busy, "Not possible: the library that makes secrets (libsodium) does not work")
}

/// A client to add, and its token, which only its owner receives.
private struct NewClient: Sendable {
    let client: PairedClient
    private let token: String

    private static let idDigits = 8

    /// Derives id and token from the id of the request, so that a repeated request adds no second client.
    init?(
        for context: HandlerContext, name: String, kind: PairedClient.Kind, may: Permission,
        at service: isolated Service
    ) {
        guard let token = context.secrets.secret(for: "token \(context.header.id)"),
            let hash = ClientSecrets.hash(of: token), let id = ClientSecrets.hash(of: "id \(token)")
        else { return nil }
        self.token = token
        client = PairedClient(
            id: String(id.prefix(NewClient.idDigits)), name: name, kind: kind, may: may, token: SecretHash(hash),
            day: service.engineNow.today)
    }

    func response(to reply: Reply) -> ResponseEnvelope<ClientOutcome> {
        switch reply {
        case .done(.client(.added(let added))): .success(SuccessResponse(ClientOutcome(client: added, token: token)))
        case .done: .failure(.noSecrets)
        case .refused(let refusal): .failure(ErrorResponse(refusal))
        }
    }
}
