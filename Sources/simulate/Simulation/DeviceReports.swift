// The connection of the simulated devices to the service's device machines: reports in, orders out.

import Alarms
import Devices
import Engine
import Service

extension Simulation {
    var newMachines: DeviceMachines {
        let inputs = InputDevice.allCases.filter {
            !missing.contains($0 == .tagReader ? .tags : .steps) || $0 == .keypad
        }
        return DeviceMachines(hasCamera: !missing.contains(.camera), inputDevices: Set(inputs))
    }

    /// The digest of a simulated code or tag is its text.
    private static let hash: PayloadHasher = { payload, kind in
        [
            CodeDigest(
                kind == .tag ? NFCTag.text(ofPayload: payload.bytes) : String(decoding: payload.bytes, as: UTF8.self))
        ]
    }

    /// Feeds the inputs of a reaction. It drops health: the night decides each part's health.
    func deliver(_ reaction: Reaction) {
        for input in reaction.inputs {
            if case .health = input { continue }
            deliver(input)
        }
    }

    /// Passes a report to the machines, if the service runs.
    private func report(_ handle: (inout DeviceMachines) -> Reaction) {
        guard isRunning else { return }
        observeSpeakers()
        deliver(handle(&machines))
    }

    func report(_ report: CameraReport) {
        guard !missing.contains(.camera) else { return }
        self.report { $0.handle(report, in: engine, at: uptimeMilliseconds, hash: Simulation.hash) }
    }

    /// Opens or closes a button's contact, if the service runs.
    func move(_ button: Button, isDown: Bool) {
        guard isRunning, !missing.contains(.buttons) else { return }
        report(buttons.move(button, isDown: isDown, at: uptimeMilliseconds))
    }

    /// Reads the contacts whose debouncers need a reading now.
    func readButtons() { report(buttons.read(at: uptimeMilliseconds)) }

    private func report(_ reports: [ButtonReport]) {
        for report in reports { self.report { $0.peripherals.handle(report, in: engine) } }
    }

    func touch(_ tag: String) {
        guard !missing.contains(.tags), let tag = NFCTag(text: tag) else { return }
        self.report { $0.peripherals.handle(.tag(tag, wasThere: false), in: engine, hash: Simulation.hash) }
    }

    func takeStep() {
        guard !missing.contains(.steps) else { return }
        let step = StepReport.step(uptime: uptimeMilliseconds)
        report { $0.peripherals.handle(step, in: engine) }
    }

    func carryOut(_ order: DeviceOrder) {
        switch order {
        case .timer(let times): wake = times
        case .speaker(let order): speakers.order(order)
        case .camera(let order): camera.change(isOn: order != .off && !missing.contains(.camera), at: now)
        // The simulated inputs always report. The machines ignore inputs that are off.
        case .signal, .input, .lamp, .shake, .sunrise, .flash, .repeatFlash, .alarmClock, .checkRingSound, .pollSpeaker:
            break
        }
    }
}

extension NFCTag {
    /// Creates a tag whose identifier is this text.
    fileprivate init?(text: String) {
        let bytes = Array(text.utf8)
        self.init(identifier: bytes + Array(repeating: 0, count: max(0, NFCTag.byteCounts.lowerBound - bytes.count)))
    }

    fileprivate static func text(ofPayload digits: [UInt8]) -> String {
        let nibbles = digits.map { $0 - ($0 < 0x3A ? 0x30 : 0x37) }
        let bytes = stride(from: 0, to: nibbles.count, by: 2).map { nibbles[$0] << 4 | nibbles[$0 + 1] }
        return String(decoding: bytes.filter { $0 > 0 }, as: UTF8.self)
    }
}
