// The reports of the status, the health and the camera view, for responses and events.

import API
import CivilTime
import Devices
import Engine
import Health
import Service
import Sound
import Text

extension Service {
    var statusReport: StatusReport {
        let engine = engineNow
        let status = engine.status()
        // The health of a broken disk reports the failure already.
        let isBroken = status.health.contains { $0.part == .disk && $0.health.grade == .broken }
        let failure = isBroken ? nil : status.failure.map { Health(.diskRefuses(reason: $0)).text }
        let isStanding = status.sessions.contains(where: \.isCodeStanding)
        return StatusReport(
            status, in: engine, clock: "\(bedside.clock.trust)",
            camera: cameraView?.report(removeAndShowAgain: isStanding, withPicture: false),
            speaker: SpeakersReport(bedside.speaker.status), warnings: warnings + [failure].compactMap(\.self),
            isSimulated: bedside.isSimulated)
    }

    /// The health of each part, the outlook of the next ring, and the warnings of the start-up.
    var doctorReport: [HealthReport] {
        let parts = engine.status(nextCount: 0).health.map { part in
            guard part.health.grade == .ok else { return HealthReport(part.part, part.health, at: part.tested) }
            let found: String? =
                switch part.part {
                // A device may have several cameras, so the report names the one in use.
                case .camera: cameraName
                case .disk: diskFreeBytes.map { "\(size($0)) free" }
                default: nil
                }
            return HealthReport(part.part, part.health, found, at: part.tested)
        }
        // The warnings of the start-up belong to no part.
        return parts + [engine.outlookReport]
            + warnings.map { HealthReport(.rooster, Health(.described(.warning, $0))) }
    }
}

/// Returns a size such as "75 GB" or "310 MB".
private func size(_ bytes: Int) -> String {
    bytes < 10_000_000_000 ? "\(bytes / 1_000_000) MB" : "\(bytes / 1_000_000_000) GB"
}

extension CameraView {
    /// Returns the report. `withPicture` adds a small picture by which the owner aims the camera.
    func report(removeAndShowAgain: Bool, withPicture: Bool) -> CameraViewReport {
        var report = CameraViewReport()
        report.camera = name
        report.problem = failure.map { "\($0)" }
        report.warning = warning
        report.frame = frame.map(CameraViewReport.Frame.init)
        report.wrongCodes = wrongCount
        report.wrongInView = isWrongInView
        report.removeAndShowAgain = removeAndShowAgain
        report.hint = report.present
        report.picture = withPicture ? preview.map(\.base64) : nil
        return report
    }
}
