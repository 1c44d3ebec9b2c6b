// How things are, as the status reports it.

import API
import Alarms
import CivilTime
import Devices
import Engine
import Service
import Sound

extension Service {
    var statusReport: StatusReport {
        let engine = engineNow
        let status = engine.status()
        let house = engine.report(status)
        // A broken disk is told by its health.
        let isBroken = status.health.contains { $0.part == .disk && $0.health.grade == .broken }
        let failure = isBroken ? nil : status.failure.map { "The disk does not keep what happens: \($0)" }
        let isStanding = status.sessions.contains(where: \.isCodeStanding)
        return StatusReport(
            now: house.now, local: house.local, zone: house.zone, trusted: status.isClockTrusted,
            clock: "\(bedside.clock.trust)", enabled: house.enabled,
            sessions: status.sessions.map { $0.report(status, in: engine) },
            unlocking: status.unlocking.map { unlocking in
                UnlockingReport(
                    alarm: unlocking.alarm.id, label: unlocking.alarm.label,
                    asked: AskedReport(unlocking.assignment, lockedOutMilliseconds: unlocking.lockedOutMilliseconds))
            }, looking: status.looking?.report, camera: sight?.report(isStanding: isStanding, withPicture: false),
            next: status.next.map { engine.report($0) }, lately: status.lately.map { engine.report($0) },
            health: status.health.map { HealthReport($0) }, speaker: bedside.speaker.status.report,
            warnings: warnings + [failure].compactMap(\.self), simulated: bedside.isSimulated)
    }

    /// The health of each part, whether an alarm is going to ring, and the warnings of the start-up.
    var doctorReport: [HealthReport] {
        let parts = engine.status(nextCount: 0).health.map { part in
            var report = HealthReport(part)
            guard part.health.grade == .ok else { return report }
            switch part.part {
            // There may be several cameras: the report names the one in use.
            case .camera: report.words = cameraName ?? ""
            case .disk: report.words = diskFreeBytes.map { "\($0 / 1_000_000) MB free" } ?? ""
            default: break
            }
            return report
        }
        // Warnings of the start-up belong to no part.
        return parts + [engine.outlookReport] + warnings.map { HealthReport(.rooster, .warning, $0) }
    }
}

extension Engine {
    fileprivate var outlookReport: HealthReport {
        switch outlook {
        case .rings(let next):
            // In the house's time, by which the status is shown, too.
            let (id, at) = (next.occurrence.alarm, zone.local(next.occurrence.at))
            let label = alarm(id)?.alarm.label ?? ""
            let name = label.isEmpty ? "Alarm \(id.prefix(8))" : label
            return HealthReport(.alarms, .ok, "\(name) rings next, on \(at.date) at \(at.time)")
        case .allOff:
            return HealthReport(.alarms, .warning, "All alarms are switched off", causes: [HealthCause(.allOff)])
        case .noRing:
            return HealthReport(.alarms, .warning, "No alarm is going to ring", causes: [HealthCause(.noRing)])
        case .noOtherRing: return HealthReport(.alarms, .ok, "No other alarm is going to ring")
        }
    }
}

extension HealthReport {
    fileprivate init(_ status: Status.PartStatus) {
        let part: Part =
            switch status.part {
            case .speaker: .speaker
            case .camera: .camera
            case .codes: .codes
            case .buttons: .buttons
            case .keypad: .keypad
            case .steps: .steps
            case .tags: .tags
            case .lamps: .lamps
            case .disk: .disk
            case .clock: .clock
            }
        let grade: Grade =
            switch status.health.grade {
            case .ok: .ok
            case .warning: .warning
            case .broken: .broken
            }
        self.init(part, grade, status.health.words, causes: status.health.causes.map(HealthCause.init(of:)))
    }
}

extension HealthCause {
    fileprivate init(of cause: Cause) {
        switch cause {
        case .silent(let failures): self.init(.silent, failures)
        case .unready(let failures): self.init(.unready, failures)
        case .buzzerOnly(let failures): self.init(.buzzerOnly, failures)
        case .replaced(let name, let missing, let failures):
            self.init(.replaced, failures)
            (by, self.missing) = (name, missing)
        case .mixer(let words): self.init(.mixer, words)
        case .sound(let words): self.init(.sound, words)
        case .soundsUnread: self.init(.soundsUnread)
        case .diskRefuses(let reason): self.init(.diskRefuses, reason)
        case .diskWears(let failure): self.init(.diskWears, failure)
        case .diskHangs: self.init(.diskHangs)
        case .clockUnknown: self.init(.clockUnknown)
        case .codesUnmet(let reasons):
            self.init(.codesUnmet)
            self.reasons = reasons
        case .cameraBroken(let reason): self.init(.cameraBroken, reason)
        case .cameraPulledOut: self.init(.cameraPulledOut)
        case .camera(let words): self.init(.camera, words)
        case .unusable(let reason): self.init(.unusable, reason)
        case .wiring(let words): self.init(.wiring, words)
        case .buttonStuck(let button):
            self.init(.buttonStuck)
            self.button = button.rawValue
        case .buttonLoose(let button):
            self.init(.buttonLoose)
            self.button = button.rawValue
        case .described(_, let words): self.init(.described, words)
        }
    }

    private init(_ name: Name, _ reason: String) {
        self.init(name)
        reasons = [reason]
    }

    private init(_ name: Name, _ failures: [SpeakerFailure]) {
        self.init(name)
        speakers = failures.map { Speaker(name: $0.name, reason: $0.reason) }
    }
}

extension ScanPurpose {
    var report: LookingReport {
        switch self {
        case .enrol(let label, let kind): LookingReport(for: .enrol, label: label, kind: kind)
        case .test: LookingReport(for: .test)
        }
    }
}

extension SpeakerStatus {
    var report: SpeakersReport {
        SpeakersReport(
            voice: activeOutput.map { "\($0)" }, decibels: decibelsInTenths,
            routes: routes.map { status in
                let (health, reason): (SpeakersReport.Route.State, String?) =
                    switch status.health {
                    case .unknown: (.unknown, nil)
                    case .trying: (.trying, nil)
                    case .good: (.good, nil)
                    case .failed(let failure) where failure.isBusy: (.busy, "\(failure)")
                    case .failed(let failure): (.failed, "\(failure)")
                    }
                let route = status.route
                return SpeakersReport.Route(
                    id: route.id, kind: route.kind.rawValue, name: route.name, configured: route.configuredName,
                    health: health, reason: reason)
            })
    }

    var decibelsInTenths: Double? { decibels.map { ($0 * 10).rounded() / 10 } }
}

extension CameraView {
    /// What the camera sees, with a small picture where it is wanted, for an owner who aims the camera.
    func report(isStanding: Bool, withPicture: Bool) -> CameraViewReport {
        CameraViewReport(
            camera: name, problem: failure.map { "\($0)" }, warning: warning,
            frame: frame.map { frame in
                CameraViewReport.Frame(
                    light: frame.light, dark: frame.isDark, sharpness: frame.sharpness,
                    codes: frame.codes.map {
                        CameraViewReport.Code(symbology: $0.symbology.rawValue, sizePercent: $0.sizePercent)
                    })
            }, wrongCodes: wrongCount, wrongInView: isWrongInView, standing: isStanding,
            picture: withPicture ? preview.map(\.base64) : nil)
    }
}
