// Keeps the mixers of all cards as they are to be. No ring waits for a mixer, nor one mixer for another.

import Devices
import Synchronization

/// Raises mixers while their cards are in use, and puts them back. A card has a thread while there is something to do to its
/// mixer: one that hangs keeps that thread, and the card plays on as loud as it is.
final class Mixers: Sendable {
    private struct Line {
        var setting: MixerSetting
        /// Its card is in use.
        var isWanted = false
        /// It was raised for that, or at least tried.
        var isTried = false
        var raised: RaisedMixer?
        /// Somebody reads whether it is as a crash has left it, and how it was before.
        var isRead = false
        var forgotten: MixerLevels?
        var isAtWork = false
    }

    private enum Work {
        case raise(MixerSetting)
        case restore(RaisedMixer)
        case restoreForgotten(MixerSetting, MixerLevels)
    }

    private let lines = Mutex<[String: Line]>([:])
    private let warn: @Sendable (String) -> Void

    /// `warn` is called with what is not as it should be, in words.
    init(warn: @escaping @Sendable (String) -> Void) {
        self.warn = warn
    }

    /// Its card is in use.
    func raise(_ setting: MixerSetting) {
        change(setting.card, or: Line(setting: setting)) { line in
            (line.setting, line.isWanted) = (setting, true)
        }
    }

    /// Its card is not in use any more.
    func restore(_ card: String) {
        change(card, or: nil) { $0.isWanted = false }
    }

    /// After a crash it may be as no owner left it. A disk that does not say so keeps nobody waiting but who reads it.
    func restoreForgotten(_ setting: MixerSetting) {
        let card = setting.card
        let isRead = lines.withLock { lines in
            let isRead = lines[card]?.isRead ?? false
            lines[card, default: Line(setting: setting)].isRead = true
            return isRead
        }
        guard !isRead else { return }
        do throws(RouteFailure) {
            try startThread(named: "memory \(card)") { [self] in read(setting) }
        } catch {
            warn("\(card): nobody looks whether the mixer is as it was before: \(error)")
            lines.withLock { $0[card]?.isRead = false }
        }
    }

    private func read(_ setting: MixerSetting) {
        var forgotten: MixerLevels?
        do throws(MixerError) {
            forgotten = try setting.forgotten()
        } catch {
            warn("\(setting.card): \(error)")
        }
        lines.withLock { $0[setting.card]?.isRead = false }
        if let forgotten { change(setting.card, or: nil) { $0.forgotten = forgotten } }
    }

    /// Whether each is as its owner left it, as far as that can be.
    var areRestored: Bool {
        lines.withLock { lines in lines.values.allSatisfy { !$0.isAtWork && $0.raised == nil } }
    }

    private func change(_ card: String, or new: Line?, _ change: (inout Line) -> Void) {
        let isIdle = lines.withLock { lines in
            guard var line = lines[card] ?? new else { return false }
            change(&line)
            let isIdle = !line.isAtWork
            line.isAtWork = true
            lines[card] = line
            return isIdle
        }
        guard isIdle else { return }
        do throws(RouteFailure) {
            try startThread(named: "mixer \(card)") { [self] in work(card) }
        } catch {
            // Without another thread it takes a moment here: a card that stays mute would be worse.
            work(card)
        }
    }

    private func work(_ card: String) {
        while let work = nextWork(card) {
            switch work {
            case .raise(let setting): raise(setting, card)
            case .restore(let raised): raised.restore(complain: warn)
            case .restoreForgotten(let setting, let levels):
                do throws(MixerError) {
                    try setting.restore(levels)
                } catch {
                    warn("\(card): \(error)")
                }
            }
        }
    }

    private func nextWork(_ card: String) -> Work? {
        lines.withLock { lines in
            guard var line = lines[card] else { return nil }
            defer { lines[card] = line }
            if line.isWanted, !line.isTried {
                line.isTried = true
                return .raise(line.setting)
            }
            if !line.isWanted {
                line.isTried = false
                if let raised = line.raised {
                    line.raised = nil
                    return .restore(raised)
                }
                if let forgotten = line.forgotten {
                    line.forgotten = nil
                    return .restoreForgotten(line.setting, forgotten)
                }
            }
            // Whoever raises it looks for that, too.
            line.forgotten = nil
            line.isAtWork = false
            return nil
        }
    }

    private func raise(_ setting: MixerSetting, _ card: String) {
        do throws(MixerError) {
            let raised = try setting.raise { warn("\(card): \($0)") }
            lines.withLock { $0[card]?.raised = raised }
        } catch {
            // The card may have no mixer at all, and be as loud as it can.
            warn("\(card): \(error)")
        }
    }
}
