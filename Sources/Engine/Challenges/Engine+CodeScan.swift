// Scans, by which codes and tags are enrolled or tested.

import Alarms
import Challenges

extension Engine {
    mutating func beginScan(for purpose: ScanPurpose, _ context: CommandContext) {
        guard !challengeState.kinds.isDisjoint(with: purpose.kinds) else {
            return reply(.refused(purpose.kinds == [.tag] ? .noTagReader : .noCamera), to: context)
        }
        guard sessions.isEmpty else { return reply(.refused(.ringing), to: context) }
        guard codeScan == nil, challengeState.current?.wantsCamera != true else {
            return reply(.refused(.scanning), to: context)
        }
        if case .enrol(let label, let kind) = purpose {
            do throws(Refusal) {
                try refuseEnrolling(label, kind)
            } catch {
                return reply(.refused(error), to: context, isPrompted: false)
            }
        }
        codeScan = CodeScan(purpose, context)
        emitted.isStatusStale = true
    }

    mutating func cancelScan(_ context: CommandContext) {
        endScan(.refused(.cancelled))
        reply(.done(.done), to: context)
    }

    var scanDeadline: Deadline {
        codeScan.map { sessions.isEmpty ? .uptime($0.timeoutUptime) : .now } ?? .never
    }

    /// Ends the scan when a session needs the camera, or at its timeout.
    mutating func expireScan() {
        guard let scan = codeScan else { return }
        if !sessions.isEmpty { return endScan(.refused(.ringing)) }
        if scan.timeoutUptime <= clock.uptime { endScan(.refused(.noCodeSeen)) }
    }

    /// Handles a frame during a scan. Frames that were taken before the scan began do not count.
    mutating func readCode(in codes: [SeenCode], takenUptime: Int, for scan: CodeScan) {
        guard takenUptime >= scan.context.uptime, let code = codes.first, let digest = code.digests.first else {
            return
        }
        guard codes.count == 1 else { return endScan(.refused(.severalCodes)) }
        guard scan.purpose == .test || codeScan?.isHeld(digest, at: takenUptime) == true || isKnown(code.digests, .qr)
        else { return }
        finishScan(.qr, code.digests, symbology: code.symbology, for: scan)
    }

    mutating func tagRead(_ digests: [CodeDigest], isRandom: Bool) {
        guard let codeScan, codeScan.purpose.kinds.contains(.tag) else {
            return answerChecks(at: clock.uptime, by: .tagReader) ? () : apply(.tag(digests), at: .tagReader)
        }
        guard !isRandom else { return endScan(.refused(.randomTag)) }
        finishScan(.tag, digests, symbology: EnrolledCode.usualSymbology, for: codeScan)
    }

    private func isKnown(_ digests: [CodeDigest], _ kind: Challenge.Kind) -> Bool {
        agenda.codes.contains { $0.kind == kind && digests.contains($0.digest) }
    }

    private mutating func finishScan(
        _ kind: Challenge.Kind, _ digests: [CodeDigest], symbology: String, for scan: CodeScan
    ) {
        guard let digest = digests.first else { return }
        let known = agenda.codes.first { $0.kind == kind && digests.contains($0.digest) }
        switch scan.purpose {
        case .test:
            endScan(
                .done(
                    .codeSeen(
                        label: known?.label, kind, fingerprint: (known?.digest ?? digest).fingerprint,
                        symbology: symbology)))
        case .enrol(let label, _):
            if let known, known.label != label { return endScan(.refused(.enrolledAlready(known.label))) }
            codeScan = nil
            emitted.isStatusStale = true
            // The request counts as received now: a scan may take longer than a command may be queued.
            dispatch(
                .enrol(EnrolledCode(label: label, kind: kind, digest: digest, symbology: symbology)),
                from: context(scan.context.origin, scan.context.request))
        }
    }

    private mutating func endScan(_ reply: Reply) {
        guard let scan = codeScan else { return }
        codeScan = nil
        emitted.isStatusStale = true
        self.reply(reply, to: scan.context, isPrompted: false)
    }
}
