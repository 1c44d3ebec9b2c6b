// Holding a code before the camera to enrol it, or to see whether it can be read and is known.

import Alarms

/// What a code is looked for when nothing rings.
public enum LookPurpose: Hashable, Sendable {
    /// It is to be known by this name from now on: a code, or a tag.
    case enrol(label: String, kind: Challenge.Kind = .qr)
    /// Its owner wants to know whether it can be read, and whether it is known.
    case test

    /// What it may be.
    var kinds: Set<Challenge.Kind> {
        switch self {
        case .enrol(_, let kind): [kind]
        case .test: [.qr, .tag]
        }
    }
}

/// A look for one code, and who waits for what comes of it. It ends by itself.
struct CodeLook: Hashable, Sendable {
    let purpose: LookPurpose
    let asking: Asking
    /// When it is given up.
    let untilUptime: Int
    /// The code that is alone in view, and since when.
    private var held: CodeDigest?
    private var heldSinceUptime = 0

    /// What its owner means is held there for so long; another code in the room has been read by then, too, be it blurred.
    private static let holdMilliseconds = 1000
    /// Nobody holds a code before the camera for longer.
    private static let timeoutMilliseconds = 60_000

    init(_ purpose: LookPurpose, _ asking: Asking) {
        (self.purpose, self.asking) = (purpose, asking)
        untilUptime = asking.uptime + CodeLook.timeoutMilliseconds
    }

    /// A code is alone in view. Answers whether it has been held there for long enough to be the one that is meant.
    mutating func isHeld(_ digest: CodeDigest, at takenUptime: Int) -> Bool {
        if held != digest { (held, heldSinceUptime) = (digest, takenUptime) }
        return takenUptime - heldSinceUptime >= CodeLook.holdMilliseconds
    }
}

extension Engine {
    /// The camera is to look for a code that rings nothing.
    mutating func look(for purpose: LookPurpose, _ asking: Asking) {
        guard !attempts.kinds.isDisjoint(with: purpose.kinds) else {
            return reply(.refused(purpose.kinds == [.tag] ? .noTagReader : .noCamera), to: asking)
        }
        guard sessions.isEmpty else { return reply(.refused(.ringing), to: asking) }
        guard codeLook == nil, attempts.current?.wantsCamera != true else {
            return reply(.refused(.looking), to: asking)
        }
        if case .enrol(let label, let kind) = purpose {
            do throws(Refusal) {
                try refuseEnrolling(label, kind)
            } catch {
                return reply(.refused(error), to: asking, isTold: false)
            }
        }
        codeLook = CodeLook(purpose, asking)
        told.isStatusStale = true
    }

    /// Nobody wants to hold a code before the camera any more.
    mutating func cancelLook(_ asking: Asking) {
        endLook(.refused(.cancelled))
        reply(.done(.done), to: asking)
    }

    /// What rings needs the camera, and whoever goes away leaves it on for a while only.
    mutating func watchLook() {
        guard let look = codeLook else { return }
        if !sessions.isEmpty { return endLook(.refused(.ringing)) }
        if look.untilUptime <= clock.uptime { endLook(.refused(.noCodeSeen)) }
    }

    /// The camera gave a frame while a look goes on. Frames from before it show what was held there then.
    mutating func see(_ codes: [SeenCode], takenUptime: Int, for look: CodeLook) {
        guard takenUptime >= look.asking.uptime, let code = codes.first, let digest = code.digests.first else { return }
        guard codes.count == 1 else { return endLook(.refused(.severalCodes)) }
        guard look.purpose == .test || codeLook?.isHeld(digest, at: takenUptime) == true || isKnown(code.digests, .qr)
        else { return }
        found(.qr, code.digests, symbology: code.symbology, for: look)
    }

    /// A tag is held to the reader.
    mutating func touch(_ digests: [CodeDigest], isRandom: Bool) {
        guard let codeLook, codeLook.purpose.kinds.contains(.tag) else { return apply(.tag(digests), at: .tagReader) }
        guard !isRandom else { return endLook(.refused(.randomTag)) }
        found(.tag, digests, symbology: EnrolledCode.usualSymbology, for: codeLook)
    }

    private func isKnown(_ digests: [CodeDigest], _ kind: Challenge.Kind) -> Bool {
        agenda.codes.contains { $0.kind == kind && digests.contains($0.digest) }
    }

    /// What was looked for is there.
    private mutating func found(_ kind: Challenge.Kind, _ digests: [CodeDigest], symbology: String, for look: CodeLook)
    {
        guard let digest = digests.first else { return }
        let known = agenda.codes.first { $0.kind == kind && digests.contains($0.digest) }
        switch look.purpose {
        case .test:
            endLook(
                .done(
                    .codeSeen(
                        label: known?.label, kind, fingerprint: (known?.digest ?? digest).fingerprint,
                        symbology: symbology)))
        case .enrol(let label, _):
            if let known, known.label != label { return endLook(.refused(.enrolledAlready(known.label))) }
            codeLook = nil
            told.isStatusStale = true
            // Asked now: what has waited for the disk for long is refused, and this has not.
            receive(
                .enrol(EnrolledCode(label: label, kind: kind, digest: digest, symbology: symbology)),
                from: asking(look.asking.door, look.asking.request))
        }
    }

    private mutating func endLook(_ reply: Reply) {
        guard let look = codeLook else { return }
        codeLook = nil
        told.isStatusStale = true
        self.reply(reply, to: look.asking, isTold: false)
    }
}
