// Holding a code before the camera to enrol it, or to see whether it can be read and is known.

import Alarms

/// What a code is looked for when nothing rings.
public enum LookPurpose: Hashable, Sendable {
    /// It is to be known by this name from now on.
    case enrol(label: String)
    /// Its owner wants to know whether it can be read, and whether it is known.
    case test
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
        guard attempts.kinds.contains(.qr) else { return reply(.refused(.noCamera), to: asking) }
        guard sessions.isEmpty else { return reply(.refused(.ringing), to: asking) }
        guard codeLook == nil, attempts.current?.wantsCamera != true else {
            return reply(.refused(.looking), to: asking)
        }
        if case .enrol(let label) = purpose {
            do throws(Refusal) {
                try refuseEnrolling(label)
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
        let known = agenda.codes.first { $0.kind == .qr && code.digests.contains($0.digest) }
        switch look.purpose {
        case .test:
            endLook(
                .done(
                    .codeSeen(
                        label: known?.label, fingerprint: (known?.digest ?? digest).fingerprint,
                        symbology: code.symbology)))
        case .enrol(let label):
            if let known, known.label != label { return endLook(.refused(.enrolledAlready(known.label))) }
            guard codeLook?.isHeld(digest, at: takenUptime) == true else { return }
            codeLook = nil
            told.isStatusStale = true
            receive(
                .enrol(EnrolledCode(label: label, kind: .qr, digest: digest, symbology: code.symbology)),
                from: look.asking)
        }
    }

    private mutating func endLook(_ reply: Reply) {
        guard let look = codeLook else { return }
        codeLook = nil
        told.isStatusStale = true
        self.reply(reply, to: look.asking, isTold: false)
    }
}
