// What `rooster speakers` says: every speaker in the order in which it is taken, how it is, and which one is heard.

import Devices
import Glibc
import JSON
import LinuxDevices
import Sound
import Vocabulary

/// The speakers, the best one first.
struct SpeakerList: Hashable {
    /// How a speaker is, for all that is known.
    enum Health: Hashable {
        /// What rings is heard on it.
        case isHeard
        case works
        /// It does not work, or another program has it.
        case fails(String, isBusy: Bool)
        /// It is being opened.
        case isTried
        /// Nobody has tried it.
        case unknown
    }

    struct Speaker: Hashable {
        var id: String
        var kind: String
        var name: String
        /// What a configuration calls it.
        var configuredName: String
        var health: Health
    }

    var speakers: [Speaker]

    /// The one that is heard, or would be.
    var first: Speaker? {
        let order: [(Health) -> Bool] = [{ $0 == .isHeard }, { $0 == .works }, { $0 == .isTried || $0 == .unknown }]
        return order.lazy.compactMap { isMeant in speakers.first { isMeant($0.health) } }.first
    }

    /// A line for each, for people or for programs.
    func lines(isJSON: Bool) -> [String] {
        let width = speakers.map(\.configuredName.count).max() ?? 0
        return speakers.map { speaker in
            guard !isJSON else { return json(speaker) }
            let name = speaker.configuredName + String(repeating: " ", count: width - speaker.configuredName.count)
            return "\(speaker == first ? "→" : " ") \(name)  \(speaker.name): \(words(speaker.health))".asSentence
        }
    }

    private func words(_ health: Health) -> String {
        switch health {
        case .isHeard: "is heard now"
        case .works: "works"
        case .fails(_, isBusy: true): "in use by another program"
        case .fails(let reason, isBusy: false): "does not work: \(reason)"
        case .isTried: "is being tried"
        case .unknown: "not tried"
        }
    }

    private func json(_ speaker: Speaker) -> String {
        let reason: JSON = if case .fails(let reason, _) = speaker.health { .string(reason) } else { .null }
        let works: JSON =
            switch speaker.health {
            case .isHeard, .works: .bool(true)
            case .fails: .bool(false)
            case .isTried, .unknown: .null
            }
        return JSON.object([
            .init("id", .string(speaker.id)), .init("kind", .string(speaker.kind)),
            .init("name", .string(speaker.name)),
            .init("configured", .string(speaker.configuredName)), .init("works", works), .init("reason", reason),
            .init("isFirst", .bool(speaker == first)), .init("isHeard", .bool(speaker.health == .isHeard)),
        ]).line
    }

    /// Why nothing would be heard, and what to do; nothing where something is.
    var advice: String? {
        guard first == nil else { return nil }
        let isBusy = speakers.contains { if case .fails(_, isBusy: true) = $0.health { true } else { false } }
        return isBusy
            ? "every speaker is in use by another program, or does not work: end that program, and try again"
            : "no speaker works: check the plug and the power of the best of them, and try again"
    }
}

extension SpeakerList {
    /// Of cards that were tried.
    init(_ routes: [Route], _ results: [Route.ID: CardCheck]) {
        speakers = routes.map { route in
            Speaker(
                id: route.id, kind: route.kind.rawValue, name: route.name, configuredName: route.configuredName,
                health: results[route.id].map(Health.init) ?? .unknown)
        }
    }

    /// Of these, those that the service has not in use are as they were found when they were tried. What this user may not
    /// open says nothing of how it is for the service.
    mutating func take(_ results: [Route.ID: CardCheck]) {
        for index in speakers.indices where speakers[index].isIdle {
            guard let check = results[speakers[index].id], !check.isForbidden else { continue }
            speakers[index].health = Health(check)
        }
    }
}

extension CardCheck {
    /// Whoever tried it may not.
    fileprivate var isForbidden: Bool {
        guard case .fails(.system(.open, let number)) = self else { return false }
        return number == EACCES || number == EPERM
    }
}

extension SpeakerList.Health {
    init(_ check: CardCheck) {
        switch check {
        case .plays: self = .works
        case .fails(.system(.open, let number)) where number == EBUSY:
            self = .fails("\(RouteFailure.system(.open, errorNumber: number))", isBusy: true)
        case .fails(let failure): self = .fails("\(failure)", isBusy: false)
        }
    }
}

extension SpeakerList {
    /// As the service says they are.
    init(_ report: SpeakersReport) {
        speakers = report.routes.map { route in
            let health: Health =
                switch route.health {
                case _ where route.id == report.voice: .isHeard
                case .good: .works
                case .trying: .isTried
                case .busy: .fails(route.reason ?? "", isBusy: true)
                case .failed: .fails(route.reason ?? "", isBusy: false)
                case .unknown: .unknown
                }
            return Speaker(
                id: route.id, kind: route.kind, name: route.name, configuredName: route.configured, health: health)
        }
    }
}

extension SpeakerList.Speaker {
    /// The service has not got it open, as far as it says.
    var isIdle: Bool {
        switch health {
        case .unknown, .fails: true
        case .isHeard, .works, .isTried: false
        }
    }
}
