// The devices: their reports go to the machines, and the machines' orders go to them.

import Alarms
import Devices
import Engine
import Sound

extension Service {
    // MARK: reports

    func subscribeToDevices() {
        let timer = bedside.timer.events
        tasks.timer = task { service in for await events in timer { service.handle(events) } }
        subscribe(bedside.speaker.reports) { service, report in
            service.machines.speaker.handle(report, service.bedside.speaker.status)
        }
        bedside.camera?.order(.off)
        subscribe(bedside.camera?.reports) { service, report in
            let uptime = service.bedside.clock.reading.uptimeMilliseconds
            return service.machines.handle(report, in: service.engine, at: uptime, hash: service.hash)
        }
        subscribe(bedside.buttons?.reports) { $0.machines.peripherals.handle($1, in: $0.engine) }
        subscribe(bedside.lamps?.reports) { $0.machines.peripherals.handle($1, in: $0.engine) }
        subscribe(bedside.shaker?.reports) { $0.machines.peripherals.handle($1, in: $0.engine) }
        subscribe(bedside.sunrise?.reports) { $0.machines.peripherals.handle($1, in: $0.engine) }
        subscribe(bedside.keypad?.reports) { $0.machines.peripherals.handle($1, in: $0.engine) }
        subscribe(bedside.stepSensor?.reports) { $0.machines.peripherals.handle($1, in: $0.engine) }
        subscribe(bedside.tagReader?.reports) { $0.machines.peripherals.handle($1, in: $0.engine, hash: $0.hash) }
    }

    private func subscribe<Report: Sendable>(
        _ reports: AsyncStream<Report>?, _ handle: @escaping @Sendable (isolated Service, Report) -> Reaction
    ) {
        guard let reports else { return }
        tasks.reports.append(
            task { service in
                for await report in reports where !service.isOver { service.carryOut(handle(service, report)) }
            })
    }

    func carryOut(_ reaction: Reaction) {
        for line in reaction.lines { log(line) }
        for input in reaction.inputs { enqueue(input) }
        for order in reaction.orders { carryOut(order) }
        if reaction.startsPreflight { startPreflight() }
    }

    private func handle(_ events: Set<TimerEvent>) {
        for event in TimerEvent.allCases where events.contains(event) { handle(event) }
    }

    private func handle(_ event: TimerEvent) {
        switch event {
        case .due: enqueue(.timer)
        // The engine detects the step itself.
        case .clockSet:
            checkClockTrust()
            enqueue(.timer)
            // The hardware's alarm clock was set relative to the old time.
            setAlarmClock()
        case .trustChanged: checkClockTrust()
        case .zoneChanged: reloadZones()
        }
    }

    private func checkClockTrust() {
        for input in machines.clock.inputs(bedside.clock.trust, in: engine) { enqueue(input) }
    }

    // MARK: orders

    func carryOut(_ order: DeviceOrder) {
        switch order {
        case .speaker(let order): bedside.speaker.order(order)
        case .signal(let pulses): bedside.speaker.signal(pulses)
        case .camera(let order): bedside.camera?.order(order)
        case .input(.keypad, let isOn): bedside.keypad?.order(isOn: isOn)
        case .input(.stepSensor, let isOn): bedside.stepSensor?.order(isOn: isOn)
        case .input(.tagReader, let isOn): bedside.tagReader?.order(isOn: isOn)
        case .lamp(let lamp, let light): bedside.lamps?.show(light, on: lamp)
        case .shake(let shaking): bedside.shaker?.shake(shaking)
        case .sunrise(let light): bedside.sunrise?.show(light)
        case .flash(let pulses): bedside.lamps?.flash(pulses, on: .status)
        case .repeatFlash(let pulses, let pattern, let interval): repeatFlash(pulses, of: pattern, interval)
        case .timer(let times): bedside.timer.set(times)
        case .alarmClock: setAlarmClock()
        case .checkRingSound(let sound):
            soundChecks.check([sound]) { [weak self] problems in
                self?.task { service in
                    if !problems.isEmpty { service.machines.speaker.soundProblems = problems }
                }
            }
        case .pollSpeaker: pollSpeaker()
        }
    }

    /// Sets the hardware's alarm clock, so that a sleeping machine is awake for the next sound.
    func setAlarmClock() {
        guard let waker = bedside.waker, machines.clock.hasWake else { return }
        let isRinging = machines.speaker.isRinging && !isOver
        let milliseconds = machines.clock.alarmMilliseconds(at: bedside.clock.reading, isRinging: isRinging)
        var failure: WakerError?
        do throws(WakerError) { try waker.set(wallMilliseconds: milliseconds) } catch { failure = error }
        if let line = machines.clock.handle(failure) { log(line) }
    }

    private func repeatFlash(_ pulses: PulsePattern, of pattern: [Button], _ intervalMilliseconds: Int) {
        guard let lamps = bedside.lamps else { return }
        task { service in
            while true {
                await service.executor.wait(milliseconds: intervalMilliseconds)
                guard !service.isOver, PeripheralsMachine.isAsked(pattern, by: service.engine) else { return }
                lamps.flash(pulses, on: .status)
            }
        }
    }

    private func pollSpeaker() {
        task { service in
            while !service.isOver {
                await service.executor.wait(milliseconds: SpeakerMachine.pollMilliseconds)
                guard !service.isOver, let reaction = service.machines.speaker.poll(service.bedside.speaker.status)
                else { return }
                service.carryOut(reaction)
            }
        }
    }

    /// Sounds the buzzer as a test, because only a person can hear whether its wiring works.
    package func soundBuzzer() {
        if let pulses = PulsePattern([150, 150, 150, 400]) { bedside.speaker.signal(pulses) }
    }

    // MARK: the camera

    /// The camera's view during a search; nil without one.
    package var cameraView: CameraView? { machines.camera.searchView }

    /// The name of the last camera that was on; nil if none was.
    package var cameraName: String? { machines.camera.lastView.name }

    /// Returns the camera's view for a preview. The camera stays on while calls are less than
    /// `CameraMachine.previewMilliseconds` apart.
    package func preview() -> CameraView {
        guard let orders = machines.camera.beginPreview() else { return machines.camera.lastView }
        for order in orders { carryOut(order) }
        // A single task waits for the timeout, however often this is called.
        task { service in
            var count = 0
            repeat {
                count = service.machines.camera.previewRequestCount
                await service.executor.wait(milliseconds: CameraMachine.previewMilliseconds)
            } while count != service.machines.camera.previewRequestCount && !service.isOver
            service.carryOut(service.machines.camera.endPreview(in: service.engine))
        }
        return machines.camera.lastView
    }

    /// The camera's newest picture while a preview is on.
    package var previewPicture: [UInt8]? { machines.camera.previewPicture }

    package func fingerprint(of payload: CodePayload) -> String? { hash(payload, .qr).first?.fingerprint }

    /// Hashes the payloads of codes and tags with the keys in force.
    var hash: PayloadHasher {
        let keys = engine.codeKeys.compactMap(\.bytes)
        return { payload, kind in
            keys.compactMap { payload.digest(key: $0, kind: kind.rawValue) }.map(CodeDigest.init)
        }
    }
}
