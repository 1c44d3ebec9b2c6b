// The speaker's thread: it owns `Routing` and carries out its actions. No card can block it.

import CLinux
import Devices
import Glibc
import Sound
import System

/// The mutable state of a speaker, owned by one thread.
struct SpeakerThread {
    /// An attempt whose player has not ended yet.
    struct OpenAttempt {
        var control: PlayerControl
        var rate: Int?
        /// The sound that the attempt plays as soon as it is rendered.
        var playback: Playback?
        /// The substitute that the attempt plays until then.
        var choice: SoundCache.Choice?
    }

    let settings: SpeakerSettings
    let mailbox: SpeakerMailbox
    var routing: Routing
    /// Nil until the cards were listed.
    var cards: [Card]?
    let monitor: CardMonitor
    let mixers: Mixers
    var attempts: [RouteAttempt: OpenAttempt] = [:]
    var cache: SoundCache
    private var buzzing: PulsePattern?
    private var warned: Set<String> = []
    private var isPriorityReported = false
    private var hangDetector: HangDetector
    private var signals = Signals()

    /// When the cards are polled, even if no change was reported.
    var nextPollUptime: Double?
    var polledUptime: Double?

    /// The intervals of polls during a ring: the first while no card plays, the second while one plays that
    /// may not be the best. Without udev, no change is reported.
    static let pollMilliseconds = 1000.0
    static let pollBesideMilliseconds = 5000.0

    /// When mixers are raised again, in case they were turned down.
    var nextRaiseUptime: Double?
    static let raiseMilliseconds = 1000.0

    /// When mixers are restored even if their cards are still open, because a card may hang, and when failed
    /// ones are retried. Otherwise they would stay raised.
    var nextRestoreUptime: Double?
    static let restoreMilliseconds = 1000.0

    /// The time for cards and mixers at shutdown.
    private static let endTimeoutMilliseconds = 2000.0
    private static let endPollMilliseconds = 10.0

    init(_ settings: SpeakerSettings, _ mailbox: SpeakerMailbox) throws(SystemCallError) {
        self.settings = settings
        self.mailbox = mailbox
        routing = Routing(settings.order, hasBuzzer: settings.buzzer != nil)
        hangDetector = settings.hangDetector
        let sounds = settings.sounds
        cache = SoundCache {
            sounds.sound($0.id, rate: $0.rate)
        } callback: {
            mailbox.post(.made($0, $1))
        }
        mixers = Mixers(directory: settings.mixerDirectory) { mailbox.post(.mixer($0)) }
        monitor = try CardMonitor(settings.cards) { mailbox.post(.cards($0)) }
        try monitor.start()
        mixers.start()
    }

    mutating func run() {
        while !mailbox.isEnded {
            wait()
            // If a hung card keeps the ring silent, stop answering the watchdog: systemd then restarts us.
            if !shouldRestart() { mailbox.heartbeat() }
            if let order = mailbox.takeOrder() { apply(order) }
            if let signal = mailbox.takeSignal() { play(signal) }
            endSignal()
            for event in mailbox.takeEvents() { process(event) }
            playWhatIsMade()
            syncBuzzer()
            pollCards()
            raiseAgain()
            restoreAgain()
            if let wake = routing.wakeUptime, wake <= Uptime.milliseconds {
                handle(.sampled(attempts.map { CardSample($0.key, $0.value.control.position) }))
            }
            mailbox.publish(status)
        }
        monitor.end()
        shutDown()
        mailbox.stream.finish()
    }

    private mutating func shouldRestart() -> Bool {
        let isToBeHeard = if case .play = cache.order { true } else { false }
        let byRoute = Dictionary(grouping: attempts.keys, by: \.route).values
        return hangDetector.shouldRestart(
            isToBeHeard: isToBeHeard, isHeard: routing.status.activeOutput != nil,
            hangs: cards == nil || byRoute.contains { $0.count >= Routing.attemptsMax }, at: Uptime.now)
    }

    /// Stops the sound. Waits at most 2 s until cards are closed, mixers restored and the buzzer is off.
    private mutating func shutDown() {
        // An order that was posted before the end still counts.
        if let order = mailbox.takeOrder() { apply(order) }
        // At shutdown the system may save raised mixers at any time from now on, and load them at its next
        // start.
        if isRingNear { mixers.retainAll() }
        apply(SpeakerOrder.silent)
        let end = Uptime.now + SpeakerThread.endTimeoutMilliseconds
        while !attempts.isEmpty || !mixers.areRestored || buzzing != nil, Uptime.now < end {
            mailbox.wakeUp.wait(milliseconds: SpeakerThread.endPollMilliseconds)
            for event in mailbox.takeEvents() { process(event) }
            restoreAgain()
            // After this, no thread is left to repeat the order.
            if buzzing != nil { _ = buzz(nil) }
        }
    }

    private mutating func wait() {
        let wakes: [Double?] = [
            routing.wakeUptime.map(Double.init), cache.timeoutUptime, nextPollUptime, nextRaiseUptime,
            nextRestoreUptime, signals.buzzEndUptime,
        ]
        mailbox.wakeUp.wait(milliseconds: wakes.compactMap(\.self).min().map { $0 - Uptime.now })
    }

    private var status: SpeakerStatus {
        var status = routing.status
        if case .play(let playback) = cache.order, status.activeOutput != nil {
            status.decibels = playback.ramp.level(atUptime: Uptime.milliseconds)
        }
        let works = status.routes.first { $0.health == .good }?.route
        status.missing = settings.order.namesWithoutRoute(among: (cards ?? []).map(\.route), before: works)
        status.warnings = [works.flatMap(screenWarning)].compactMap(\.self) + mixers.warnings
        status.isReady = status.routes.contains { $0.health == .good } && rates.allSatisfy { cache.isMade(rate: $0) }
        return status
    }

    /// Returns a warning if the route is a screen that the owner did not list. A screen consumes frames even
    /// while it is off, so only its owner can say whether it is audible.
    private func screenWarning(_ route: Route) -> String? {
        guard route.kind == .hdmi, !settings.order.names(route) else { return nil }
        return "\(route.name) is a screen, which is silent while it is off. To ring on it all the same, add "
            + "\(route.configuredName.debugDescription) to speaker.routes, after better speakers."
    }

    private var rates: Set<Int> { Set(attempts.values.compactMap(\.rate)) }

    private mutating func apply(_ order: SpeakerOrder) {
        cache.prepare(order, rates: rates)
        handle(.ordered(order))
        if isRingNear {
            nextRestoreUptime = nil
            raiseMixers()
        } else {
            nextRestoreUptime = Uptime.now + SpeakerThread.restoreMilliseconds
            restoreMixers()
        }
        if order == .silent {
            warned = []
            trimMemory()
        } else {
            monitor.poll()
            warnOfMissing()
        }
    }

    /// Returns the memory that a ring or a test needed. Nothing else needs it before the next.
    private func trimMemory() {
        if attempts.isEmpty, cache.order == .silent { linux_give_memory_back() }
    }

    /// True while a sound is ordered, or is expected within seconds.
    var isRingNear: Bool {
        switch cache.order {
        case .silent, .ready(_, isNear: false): false
        case .ready(_, isNear: true), .play: true
        }
    }

    private mutating func process(_ event: SpeakerEvent) {
        switch event {
        case .made(let key, let made):
            for warning in made.warnings { mailbox.stream.emit(.warning(warning)) }
            cache.store(made, for: key)
            // The limit of files may have prevented this before.
            for rate in rates { cache.make(rate: rate) }
        case .player(let attempt, .opened(let rate)):
            attempts[attempt]?.rate = rate
            raiseMixers()
            cache.make(rate: rate)
            handle(.opened(attempt, rate: rate))
        case .player(let attempt, .failed(let failure)): handle(.failed(attempt, failure))
        case .player(let attempt, .closed):
            attempts[attempt] = nil
            restoreMixers()
            handle(.closed(attempt))
            trimMemory()
        case .cards(let result): handleCards(result)
        case .mixer(let text):
            warnOnce(text)
            if !isRingNear { nextRestoreUptime = nextRestoreUptime ?? Uptime.now + SpeakerThread.restoreMilliseconds }
        case .buzzed(let isOn, let isDone): handle(.buzzed(isOn: isOn, isDone: isDone))
        case .player(_, .noPriority(let number)):
            // The priority does not change while the process runs.
            guard !isPriorityReported else { return }
            isPriorityReported = true
            let why = String(cString: strerror(number))
            mailbox.stream.emit(
                .warning("The player has no real-time priority (\(why)): sound may stutter on a busy machine"))
        }
    }

    /// Reports a warning once for each ring.
    mutating func warnOnce(_ text: String) {
        guard warned.count < 256, warned.insert(text).inserted else { return }
        mailbox.stream.emit(.warning(text))
    }

    mutating func handle(_ event: RoutingEvent) {
        for action in routing.handle(event, at: Uptime.milliseconds) { carryOut(action) }
    }

    private mutating func carryOut(_ action: RoutingAction) {
        switch action {
        case .open(let attempt): open(attempt)
        case .play(let attempt, let playback):
            attempts[attempt]?.playback = playback
            attempts[attempt]?.choice = nil
            playWhatIsMade()
        case .mute(let attempt):
            attempts[attempt]?.playback = nil
            attempts[attempt]?.control.mute()
        case .close(let attempt):
            attempts[attempt]?.playback = nil
            attempts[attempt]?.control.end()
        case .buzz(let isOn): buzz(isOn)
        case .report(let report): mailbox.stream.emit(report)
        }
    }

    private mutating func open(_ attempt: RouteAttempt) {
        let mailbox = mailbox
        func fail(_ failure: RouteFailure) {
            mailbox.post(.player(attempt, .failed(failure)))
            mailbox.post(.player(attempt, .closed))
        }
        guard let card = card(attempt.route) else { return fail(.gone) }
        let others = attempts.keys.filter { $0.route == attempt.route }.count
        guard others < Routing.attemptsMax else { return fail(.tooManyHang(count: others)) }
        do throws(SystemCallError) {
            let control = try PlayerControl()
            let player = PlayerThread(
                card: card, configuration: settings.configuration, control: control
            ) { mailbox.post(.player(attempt, $0)) }
            try player.start()
            attempts[attempt] = OpenAttempt(control: control)
        } catch {
            fail(.system(.start, errorNumber: error.errorNumber))
        }
    }

    private mutating func playWhatIsMade() {
        cache.expire(at: Uptime.now, rates: rates)
        for (attempt, opened) in attempts {
            guard let playback = opened.playback, let rate = opened.rate, let choice = cache.choice(rate: rate) else {
                continue
            }
            guard opened.choice.map({ $0 < choice }) ?? true else { continue }
            opened.control.play(cache.sound(choice, for: playback, rate: rate))
            attempts[attempt]?.choice = choice
            let delay = "The sound \(playback.sound.debugDescription) is not ready yet:"
            switch choice {
            case .tone: warnOnce("\(delay) a tone plays instead")
            case .standard: warnOnce("\(delay) \(BuiltInSound.standard.name) plays instead")
            case .wanted: attempts[attempt]?.playback = nil
            }
        }
    }

    private mutating func play(_ signal: PulsePattern) {
        guard signals.mayStart(at: Uptime.now) else { return }
        switch (routing.status.activeOutput, cache.order) {
        case (.route?, _): for opened in attempts.values { opened.control.interrupt() }
        // A signal could not be told apart from a buzzer that already pulses.
        case (.buzzer?, _), (nil, .play): break
        case (nil, _): if buzz(signal) { signals.buzz(signal, at: Uptime.now) }
        }
    }

    private mutating func endSignal() {
        if signals.endBuzz(at: Uptime.now), buzz(nil) { signals.forgetBuzz() }
    }

    private mutating func buzz(_ isOn: Bool) {
        // The answer goes through the mailbox, like all others.
        let isDone = buzz(isOn ? cache.pulses() : nil)
        if isDone { signals.forgetBuzz() }
        mailbox.post(.buzzed(isOn: isOn, isDone: isDone))
    }

    /// Switches the buzzer, and returns true if that succeeded.
    private mutating func buzz(_ pulses: PulsePattern?) -> Bool {
        do throws(LineFailure) {
            try settings.buzzer?.buzz(pulses)
            buzzing = pulses
            return true
        } catch {
            warnOnce("The buzzer does not work (\(error))")
            return false
        }
    }

    /// Updates the buzzer's pattern when another sound is ordered, or when it has been rendered.
    private mutating func syncBuzzer() {
        guard buzzing != nil, routing.status.activeOutput == .buzzer, case let pulses = cache.pulses(),
            pulses != buzzing
        else {
            return
        }
        // If this fails, the buzzer keeps its old pattern and the next round tries again.
        _ = buzz(pulses)
    }
}
