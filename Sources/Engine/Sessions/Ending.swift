// How a session ends.

import Alarms

extension Engine {
    /// Ends a session, and tells everybody.
    mutating func end(_ session: Session, _ ending: Ending, by door: Door?) {
        let version = versionToSwitchOff(after: session.occurrence)
        note(.ended(session.occurrence, ending, by: door, switchesOff: session.terms.isTest ? nil : version))
        voices[session.occurrence] = nil
        if door == .button { endUptime = clock.uptime }
        effects.append(.tell(.ended(ending)))
        if ending != .dismissed, ending != .cancelled {
            effects.append(.notify(.ended(session.occurrence, ending)))
        }
    }

    /// A session's last challenge was completed: those that wait behind it for the very same end with it, for nobody should
    /// have to do it all over at once.
    mutating func dismissWithAlike(_ session: Session, by door: Door?) {
        let alike = ledger.sessions.filter { other in
            other.occurrence != session.occurrence && !other.terms.challenges.isEmpty
                && voices[other.occurrence]?.isRinging == true
                && other.terms.challenges.map(\.task) == session.terms.challenges.map(\.task)
        }
        for ended in [session] + alike { end(ended, .dismissed, by: door) }
    }
}
