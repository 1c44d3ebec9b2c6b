// Trying all speakers in silence, for an owner who wants to know what there is to be heard on.

import Engine
import Sound

/// A try of all speakers, with the callbacks of the requests that wait for it.
struct SpeakerProbe {
    var callbacks: [@Sendable (SpeakerStatus, isolated Service) -> Void] = []
    var isRunning = false
    /// How each card was found; nil until all cards have played or had their time.
    var found: [Route.ID: RouteStatus.RouteHealth]?

    /// No card is tried when something rings within so long: the service opens one ten seconds before a ring, and a try takes two.
    static let nearMilliseconds = 60_000
    /// The timeout, in polls, for cards to be known after the start and to be closed after a preflight.
    static let settlingPollsMax = 20
}

extension Service {
    /// Calls back with how the speakers are: as they are found when they are tried, unless one is in use or will be in a moment.
    package func trySpeakers(then callback: @escaping @Sendable (SpeakerStatus, isolated Service) -> Void) {
        speakerProbe.callbacks.append(callback)
        guard speakerProbe.callbacks.count == 1 else { return }
        task { service in
            let status = await service.probedSpeakers()
            let callbacks = service.speakerProbe.callbacks
            service.speakerProbe = SpeakerProbe()
            for callback in callbacks { callback(status, service) }
        }
    }

    private func probedSpeakers() async -> SpeakerStatus {
        await poll(max: PreflightRun.cameraPollsMax) { $0.preflight.isRunning }
        await poll(max: SpeakerProbe.settlingPollsMax) { service in
            let status = service.bedside.speaker.status
            return !service.isRingNear && (status.routes.isEmpty || status.isInUse)
        }
        guard !isRingNear, !bedside.speaker.status.isInUse else { return bedside.speaker.status }
        speakerProbe.isRunning = true
        bedside.speaker.tryCards { [weak self] found in self?.task { $0.speakerProbe.found = found } }
        await poll(max: PreflightRun.pollsMax) { $0.speakerProbe.found == nil }
        var status = bedside.speaker.status
        // A card that was opened for a ring meanwhile is as the ring finds it.
        for index in status.routes.indices where !status.routes[index].isInUse {
            let found = speakerProbe.found?[status.routes[index].route.id]
            status.routes[index].health = found ?? status.routes[index].health
        }
        return status
    }

    private var isRingNear: Bool {
        let status = engineNow.status(nextCount: 1)
        let near = status.nowMilliseconds + SpeakerProbe.nearMilliseconds
        return !status.sessions.isEmpty || speaker.ring != nil || speaker.nearSound != nil
            || status.next.contains { $0.occurrence.at.secondsSince1970 * 1000 < near }
    }

    /// Waits while something is so, for so many polls at most.
    func poll(max: Int, while isSo: (isolated Service) -> Bool) async {
        var left = max
        while left > 0, isSo(self) {
            left -= 1
            await executor.wait(milliseconds: PreflightRun.pollMilliseconds)
        }
    }
}

extension SpeakerStatus {
    fileprivate var isInUse: Bool { routes.contains(where: \.isInUse) }
}

extension RouteStatus {
    fileprivate var isInUse: Bool {
        switch health {
        case .trying, .good: true
        case .unknown, .failed: false
        }
    }
}
