// The handlers of pairing and invitations.
//
// No attempt is stored here. Its text is derived from the id of the request, and its token from that text.
// The token therefore exists once the engine has added the client, and only for the page that has the text.

import API
import Clients
import Devices
import Engine
import Service
import Text

extension Pair: RequestHandler {
    func handle(_ context: HandlerContext, at service: isolated Service, then send: @escaping Completion<Response>) {
        guard let pairing = context.secrets.secret(for: "pairing \(context.header.id)"),
            let new = NewClient(for: "page \(pairing)", context, name, .page, .change, at: service)
        else { return send(.failure(.noSecrets)) }
        // A program of this machine, and a client with a token, have rights already.
        let isKnown = context.header.origin == .commandLine || context.client != nil
        // A refusal here is no command, so that refused strangers push no reply out of the engine's log of
        // requests.
        if let refusal = service.engineNow.refusalToPair(new.client, isKnown: isKnown) {
            return send(.failure(ErrorResponse(refusal)))
        }
        service.ask(.client(.pair(new.client, isKnown: isKnown)), context.header) { reply, _ in
            switch reply {
            case .done(.client(.opened(let presses, let milliseconds))):
                send(
                    .success(
                        SuccessResponse(Response(pairing: pairing, presses: presses, seconds: milliseconds / 1000))))
            case .done: send(.failure(.noSecrets))
            case .refused(let refusal): send(.failure(ErrorResponse(refusal)))
            }
        }
    }
}

extension GetPairing: RequestHandler {
    func handle(_ context: HandlerContext, at service: isolated Service, then send: @escaping Completion<Response>) {
        guard let new = NewClient(for: "page \(pairing)", context, "", .page, .change, at: service) else {
            return send(.failure(.noSecrets))
        }
        switch service.engineNow.pairingState(of: new.client.id) {
        case nil: send(.failure(ErrorResponse(.noSuchPairing)))
        case .waiting(let count, let milliseconds)?:
            var response = Response(.waiting)
            (response.pressed, response.seconds) = (count, (milliseconds + 999) / 1000)
            send(.success(SuccessResponse(response)))
        case .refused(let reason)?:
            let refusal = Refusal(reason)
            var response = Response(.refused)
            (response.code, response.reason) = (refusal.code, "\(refusal)")
            send(.success(SuccessResponse(response)))
        case .expired?: send(.success(SuccessResponse(Response(.expired))))
        case .paired?: collect(new, context, at: service, then: send)
        }
    }

    private func collect(
        _ new: NewClient, _ context: HandlerContext, at service: isolated Service,
        then send: @escaping Completion<Response>
    ) {
        service.ask(.client(.collect(new.client.id)), context.header) { reply, _ in
            guard case .done(.client(.collected(let client))) = reply else {
                return send(.failure(ErrorResponse(.noSuchPairing)))
            }
            var response = Response(.paired)
            (response.client, response.token) = (ClientReport(client), new.token)
            send(.success(SuccessResponse(response)))
        }
    }
}

extension Invite: RequestHandler {
    /// The digits of a secret: 132 random bits, in a code that a phone reads from a terminal.
    private static let digits = 22

    func handle(_ context: HandlerContext, at service: isolated Service, then send: @escaping Completion<Response>) {
        guard let secret = context.secrets.secret(for: "invitation \(context.header.id)")?.prefix(Invite.digits),
            let hash = ClientSecrets.hash(of: String(secret))
        else { return send(.failure(.noSecrets)) }
        service.ask(.client(.invite(SecretHash(hash))), context.header) { reply, _ in
            switch reply {
            case .done:
                let seconds = Pairing.invitationMilliseconds / 1000
                send(.success(SuccessResponse(Response(secret: String(secret), seconds: seconds))))
            case .refused(let refusal): send(.failure(ErrorResponse(refusal)))
            }
        }
    }
}

extension ClaimInvitation: RequestHandler {
    func handle(_ context: HandlerContext, at service: isolated Service, then send: @escaping Completion<Response>) {
        guard let hash = ClientSecrets.hash(of: secret),
            let new = NewClient(for: "page \(context.header.id)", context, name, .page, .change, at: service)
        else { return send(.failure(.noSecrets)) }
        // As for `pair`, a refused stranger sends no command. A repeated request finds the reply to its first.
        guard service.engineNow.isInvited(by: SecretHash(hash)) || context.header.origin == .commandLine else {
            return send(.failure(ErrorResponse(.noInvitation)))
        }
        service.ask(.client(.claim(SecretHash(hash), new.client)), context.header) { reply, _ in
            send(new.response(to: reply))
        }
    }
}
