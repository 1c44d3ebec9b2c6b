// Trying out what ringing needs: how each part is, in words that say what to do.

import Devices
import Engine

/// A preflight while it is being done, and who waits for it.
struct Preflight {
    /// Which of all: what answers only after the end of one does not answer the next.
    var number = 0
    var isRunning = false
    var waiting: [@Sendable (isolated Service) -> Void] = []
    /// How the disk is, when it has answered.
    var disk: Health?
    /// What is wrong with the sounds of alarms, when the disk that they are on has answered.
    var sounds: [String]?

    var hasAnswers: Bool { disk != nil && sounds != nil }

    /// A card that has not opened after so many looks will not, and a disk that has not answered hangs.
    static let looksMax = 60
    static let lookMilliseconds = 50
}

extension Health {
    /// How a speaker is that is to be heard.
    init(ringing status: SpeakerStatus) {
        switch status.voice {
        case .route(let id)?:
            let better = status.routes.prefix { $0.route.id != id }.filter { $0.health != .good }
            // The cause may be another with each try, and that would be news each time.
            self.init(status, heardBy: id, inPlaceOf: better.map { "\($0.route.name) is not heard" })
        case .buzzer?: self.init(.warning, "Only the buzzer is heard: \(Health.failures(of: status))")
        case nil: self.init(.broken, "Nothing is heard: \(Health.failures(of: status))")
        }
    }

    /// How a speaker is that was told to be ready.
    init(readying status: SpeakerStatus) {
        guard let first = status.routes.firstIndex(where: { $0.health == .good }) else {
            let advice = status.routes.isEmpty ? "" : "; 'rooster speakers' says what to do"
            self.init(.broken, "No speaker can be heard: \(Health.failures(of: status))\(advice)")
            return
        }
        let failures = status.routes[..<first].compactMap(Health.failure(of:))
        self.init(status, heardBy: status.routes[first].route.id, inPlaceOf: failures)
    }

    /// How a speaker is that one of its routes is heard by: what its owner has put first is to be heard, and as loud as it can.
    private init(_ status: SpeakerStatus, heardBy id: Route.ID, inPlaceOf failures: [String]) {
        let others = status.missing.map { "there is no speaker \($0.debugDescription)" } + failures
        let name = status.routes.first { $0.route.id == id }?.route.name ?? id
        let place = others.isEmpty ? [] : ["\(others.joined(separator: "; ")): \(name) takes the place"]
        let words = place + status.troubles
        self = words.isEmpty ? .ok : Health(.warning, words.joined(separator: "; "))
    }

    /// The same, where not all that alarms ring with is as they were set.
    func hearing(_ problems: [String]?) -> Health {
        let others = problems ?? ["The disk with the sounds does not answer: another takes their place"]
        guard grade != .broken, !others.isEmpty else { return self }
        return Health(.warning, ((grade == .ok ? [] : [words]) + others).joined(separator: "; "))
    }

    /// A disk that has taken what was to be written, and does not say so.
    static let hangingDisk = Health(.broken, "The disk does not answer: nothing more can be kept until it does")

    /// How well the time is known.
    init(_ trust: ClockTrust) {
        self =
            trust.isTrusted
            ? .ok
            : Health(
                .warning,
                "Nobody knows whether the time is right: connect it to a network, and see with 'timedatectl' that it "
                    + "takes its time from there")
    }

    private static func failures(of status: SpeakerStatus) -> String {
        guard !status.routes.isEmpty else { return "there is no sound card: plug one in" }
        return status.routes.map { failure(of: $0) ?? "\($0.route.name) has not played yet" }.joined(separator: "; ")
    }

    private static func failure(of status: RouteStatus) -> String? {
        guard case .failed(let failure) = status.health else { return nil }
        return "\(status.route.name): \(failure.cause)"
    }
}
