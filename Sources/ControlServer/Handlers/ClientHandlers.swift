// The handlers of requests about clients over HTTP.

import API
import Clients
import Devices
import Engine
import Service
import Text

extension Hello: RequestHandler {
    func handle(_ context: HandlerContext, at service: isolated Service, then send: @escaping Completion<Response>) {
        let ways: [Way] = service.engine.canPairByPresses ? [.presses, .invitation] : [.invitation]
        let client = context.client.map { ClientReport($0) }
        let response = Response(simulated: service.bedside.isSimulated, ways: ways, client: client)
        send(.success(SuccessResponse(response)))
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
        guard let new = NewClient(for: "script \(context.header.id)", context, name, .script, may, at: service) else {
            return send(.failure(.noSecrets))
        }
        service.ask(.client(.add(new.client)), context.header) { reply, _ in send(new.response(to: reply)) }
    }
}

extension ErrorResponse {
    static let noSecrets = ErrorResponse(
        .busy, "Not possible: the library that makes secrets (libsodium) does not work")
}

/// A client to add, and its token, which only its owner receives.
struct NewClient: Sendable {
    let client: PairedClient
    let token: String

    private static let idDigits = 8

    /// Derives id and token from a purpose, so that a repeated request adds no second client.
    init?(
        for purpose: String, _ context: HandlerContext, _ name: String, _ kind: PairedClient.Kind, _ may: Permission,
        at service: isolated Service
    ) {
        guard let token = context.secrets.secret(for: purpose), let hash = ClientSecrets.hash(of: token),
            let id = ClientSecrets.hash(of: "id \(token)")
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
