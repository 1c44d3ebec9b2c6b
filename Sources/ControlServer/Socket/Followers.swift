// Followers of the control socket: each receives the events of its topics as they happen.

import API
import Clients
import Engine
import EventLoop
import Service

private let levelMilliseconds = 500
private let secondMilliseconds = 1000

extension ControlSocket {
    private func followers(of topic: Follow.Topic) -> [Int] {
        clients.filter { $0.value.follows(topic) }.keys.sorted()
    }

    func begin(_ follow: Follow, _ client: Connection, _ id: Int) {
        let topics = Set(follow.topics ?? [])
        client.stage = .following(topics.isEmpty ? [.status] : topics)
        client.isStale = client.follows(.status)
        if client.follows(.records), let since = follow.since {
            let engine = service.assumeIsolated { $0.engine }
            for entry in history.entries(since: since) { send(id, line(FollowEvent(entry, in: engine))) }
        }
        setMeter()
    }

    /// Schedules a task that sends the newest status. All changes until the task runs share it.
    private func statusChanged() {
        guard !isStatusDue, clients.contains(where: { $0.value.follows(.status) || $0.value.follows(.level) }) else {
            return
        }
        isStatusDue = true
        Task(executorPreference: loop) { await self.sendStatus() }
    }

    private func sendStatus() {
        isStatusDue = false
        let status = status
        for id in followers(of: .status) {
            clients[id]?.isStale = true
            // A new status does not extend the timeout of a client that has not read the old one.
            if clients[id]?.stream.unsent.isEmpty == true { clients[id]?.idleSinceUptime = uptime }
            sendStatus(id, status)
            updateWatch(of: id)
        }
        setMeter()
    }

    var status: String { line(FollowEvent(status: service.assumeIsolated { $0.statusReport })) }

    func sendStatus(_ id: Int, _ status: @autoclosure () -> String) {
        guard let client = clients[id], client.isStale, client.stream.unsent.isEmpty else { return }
        client.isStale = false
        send(id, status())
    }

    private nonisolated func line(_ event: FollowEvent) -> String { SuccessResponse(event).json.description }

    /// Ends the connections of a client that was forgotten.
    private func drop(_ client: PairedClient.ID) { clients = clients.filter { $0.value.follower != client } }

    private func publish(_ event: @autoclosure () -> FollowEvent, to topic: Follow.Topic) {
        let followers = followers(of: topic)
        guard !followers.isEmpty else { return }
        let line = line(event())
        for id in followers {
            if clients[id]?.isBehind == true { clients[id] = nil }
            send(id, line)
            updateWatch(of: id)
        }
    }

    /// Sets the meter if a follower needs it while a sound is audible, or while a session, an unlocking or a
    /// scan is open. At rest the meter causes no wake-up.
    private func setMeter() {
        let (isOpen, isHeard) = service.assumeIsolated { service in
            let status = service.engine.status(nextCount: 0)
            let isOpen = !status.sessions.isEmpty || status.unlocking != nil || status.scan != nil
            return (isOpen, service.bedside.speaker.status.activeOutput != nil)
        }
        let levels = isHeard && !followers(of: .level).isEmpty ? levelMilliseconds : nil
        let seconds = isOpen && !followers(of: .status).isEmpty ? secondMilliseconds : nil
        if !isHeard { publishLevel() }
        meter?.set(uptimeMilliseconds: (levels ?? seconds).map { uptime + $0 })
    }

    /// Publishes the level while a sound is audible, and once more after it has ended.
    private func publishLevel() {
        let speaker = SpeakersReport(service.bedside.speaker.status)
        guard speaker.output != nil || wasHeard else { return }
        wasHeard = speaker.output != nil
        let level = FollowEvent.LevelReport(output: speaker.output, decibels: speaker.decibels)
        publish(FollowEvent(level: level), to: .level)
    }

    func measure() {
        publishLevel()
        let isSecondOver = uptime - statusUptime >= secondMilliseconds
        if isSecondOver {
            statusUptime = uptime
            statusChanged()
        }
        setMeter()
    }
}

extension ControlSocket: Subscriber {
    package func handle(_ event: ServiceEvent, from service: isolated Service) {
        let engine = service.engine
        assumeIsolated { socket in
            switch event {
            case .statusChanged: socket.statusChanged()
            case .prompted(let prompt): socket.publish(FollowEvent(prompt: .init(prompt, in: engine)), to: .prompts)
            case .notified(let notice): socket.publish(FollowEvent(prompt: .init(notice, in: engine)), to: .prompts)
            case .recorded(let entries):
                socket.history.add(entries)
                for entry in entries {
                    socket.publish(FollowEvent(entry, in: engine), to: .records)
                    if case .clientForgotten(let id, _) = entry.entry.fact { socket.drop(id) }
                }
            }
        }
    }
}
