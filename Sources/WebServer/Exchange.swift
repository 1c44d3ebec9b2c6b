// One request and its response.

import CMicrohttpd
import HTTP

/// A request on its way in, and its response on the way out.
final class Exchange {
    enum Stage {
        /// The head has not come yet.
        case begun
        case receiving
        /// The handler works on the answer.
        case waiting
        /// The next call of libmicrohttpd takes the answer.
        case answered(Answer)
        case queued
    }

    private enum Admission {
        case undecided, admitted
        case refused(HTTPResponse)
    }

    let number: Int
    let target: [UInt8]
    var stage = Stage.begun
    var request: HTTPRequest?
    private(set) var body: [UInt8] = []
    var limit = BodyLimit.ordinary
    /// Whether the request may have a body longer than an ordinary one.
    private var admission = Admission.admitted
    /// True if the body was longer than its limit. The rest is received and dropped.
    private(set) var isTooLong = false
    /// The events of the response, if it is a stream.
    var stream: EventStream?
    private let connection: OpaquePointer
    private var isSuspended = false

    init(_ number: Int, target: [UInt8], on connection: OpaquePointer) {
        (self.number, self.target, self.connection) = (number, target, connection)
    }

    func receive(_ piece: UnsafeRawBufferPointer) {
        if case .refused = admission { return }
        if !isTooLong, (try? limit.check(byteCount: body.count + piece.count)) != nil {
            body += piece
        } else {
            (isTooLong, body) = (true, [])
        }
        suspendIfFull()
    }

    /// The refusal of a request that was not admitted. The rest of its body is received and dropped.
    var refusal: HTTPResponse? { if case .refused(let response) = admission { response } else { nil } }

    var isUndecided: Bool { if case .undecided = admission { true } else { false } }

    /// Receives no more than an ordinary body until `admit`.
    func awaitAdmission() { admission = .undecided }

    /// Receives the rest of the body, or drops it if there is a refusal.
    func admit(_ refusal: HTTPResponse?) {
        guard isUndecided else { return }
        if refusal != nil { body = [] }
        admission = refusal.map { .refused($0) } ?? .admitted
        resume()
    }

    private func suspendIfFull() {
        if isUndecided, body.count >= BodyLimit.ordinary.rawValue { suspend() }
    }

    /// Stops libmicrohttpd from asking for more, until `resume`.
    func suspend() {
        guard !isSuspended else { return }
        isSuspended = true
        MHD_suspend_connection(connection)
    }

    func resume() {
        guard isSuspended else { return }
        isSuspended = false
        MHD_resume_connection(connection)
    }

    /// The connection or the response has ended.
    func end() {
        stage = .queued
        stream?.end()
    }
}
