// The rules that every packet of the camera's helper must obey.

import Devices

/// One run of the helper, from its start until its socket is closed. A picture may have taken over the
/// helper, so each packet is checked against the protocol and the current order.
struct HelperProtocolCheck: Sendable {
    enum Verdict: Hashable {
        case nothing
        case report(CameraReport)
        case failed(CameraFailure)
        /// The helper broke the protocol. The text follows "the program that reads the camera".
        case breach(String)
    }

    let startedUptime: Int
    private(set) var receivedUptime: Int?
    private var kinds: Set<Symbology>
    private var previews: Bool
    private var orderedUptime: Int
    private let timeouts: HelperTimeouts

    private var isOpened = false
    private var firstFrameUptime: Int?
    private var lastFrameUptime: Int?
    private var lastTakenUptime = 0
    private var lastPreviewUptime: Int?
    private var warningCount = 0
    private var second = (startUptime: 0, count: 0)

    /// The limit of packets in a second. The socket cannot hold more waiting packets, so more are a flood.
    static let floodCount = 300
    private static let warningsMax = 10
    private static let previewMilliseconds = 450
    /// The greatest age of a frame. An older frame does not show the present view.
    private static let oldestMilliseconds = 2000

    init(_ kinds: Set<Symbology>, previews: Bool, at uptime: Int, _ timeouts: HelperTimeouts) {
        (self.kinds, self.previews, self.timeouts) = (kinds, previews, timeouts)
        (startedUptime, orderedUptime) = (uptime, uptime)
    }

    mutating func order(_ kinds: Set<Symbology>, previews: Bool, at uptime: Int) {
        (self.kinds, self.previews, orderedUptime) = (kinds, previews, uptime)
    }

    /// The time at which the helper has been silent, or without frames, for too long.
    var deadline: Int {
        let nextMessageUptime =
            receivedUptime.map { $0 + timeouts.silenceMilliseconds } ?? startedUptime + timeouts.startMilliseconds
        return min(nextMessageUptime, (lastFrameUptime ?? startedUptime) + timeouts.framesMilliseconds)
    }

    /// The reason for the failure once the deadline has passed.
    var overdue: String {
        guard let receivedUptime else { return "did not start in time" }
        return receivedUptime + timeouts.silenceMilliseconds <= deadline ? "does not answer" : "sends no pictures"
    }

    /// Returns true if frames have come for so long that earlier failures no longer count.
    func isProven(at uptime: Int) -> Bool {
        firstFrameUptime.map { uptime - $0 >= timeouts.provenMilliseconds } ?? false
    }

    /// Checks one packet; nil stands for a packet that was too long to receive.
    mutating func receive(_ packet: [UInt8]?, at uptime: Int) -> Verdict {
        receivedUptime = uptime
        if uptime - second.startUptime >= 1000 { second = (uptime, 0) }
        second.count += 1
        guard second.count <= HelperProtocolCheck.floodCount else { return .breach("sends too many messages") }
        guard let packet, let message = HelperMessage(packet: packet) else {
            return .breach("sent an invalid message")
        }
        switch message {
        case .read: return .breach("sent a message that only roosterd may send")
        case .heartbeat: return .nothing
        // These reports come once in a run, so the limit per second must not drop them.
        case .report(let report) where report.isOfItsRun: return receive(report, at: uptime)
        case .report(let report):
            return second.count <= HelperMessage.perSecondMax ? receive(report, at: uptime) : .nothing
        }
    }

    private mutating func receive(_ report: CameraReport, at uptime: Int) -> Verdict {
        switch report {
        case .failed(let failure): return .failed(failure)
        case .warning, .camerasChanged:
            warningCount += 1
            return warningCount <= HelperProtocolCheck.warningsMax ? .report(report) : .nothing
        case .opened:
            guard !isOpened else { return .breach("reported a second open camera") }
            isOpened = true
            return .report(report)
        case .frame(let frame):
            guard isOpened else { return .breach("sent frames before it opened a camera") }
            return receive(frame, at: uptime)
        case .preview: return receivePreview(report, at: uptime)
        }
    }

    private mutating func receive(_ frame: CameraFrame, at uptime: Int) -> Verdict {
        var frame = frame
        // Driver timestamps may be slightly ahead.
        frame.takenUptime = min(frame.takenUptime, uptime)
        guard frame.takenUptime >= lastTakenUptime, uptime - frame.takenUptime <= HelperProtocolCheck.oldestMilliseconds
        else {
            return .nothing
        }
        lastTakenUptime = frame.takenUptime
        (firstFrameUptime, lastFrameUptime) = (firstFrameUptime ?? uptime, uptime)
        guard frame.codes.allSatisfy({ kinds.contains($0.symbology) }) else {
            guard isOrderFresh(at: uptime) else { return .breach("sent codes of kinds that were not ordered") }
            frame.codes.removeAll { !kinds.contains($0.symbology) }
            return .report(.frame(frame))
        }
        return .report(.frame(frame))
    }

    private mutating func receivePreview(_ preview: CameraReport, at uptime: Int) -> Verdict {
        guard previews else {
            return isOrderFresh(at: uptime) ? .nothing : .breach("sent previews that were not ordered")
        }
        if let lastPreviewUptime, uptime - lastPreviewUptime < HelperProtocolCheck.previewMilliseconds {
            return .nothing
        }
        lastPreviewUptime = uptime
        return .report(preview)
    }

    /// Returns true if a report may still follow the previous order.
    private func isOrderFresh(at uptime: Int) -> Bool { uptime - orderedUptime <= timeouts.orderMilliseconds }
}

extension CameraReport {
    /// True if the report is about the run, not about the camera's view.
    fileprivate var isOfItsRun: Bool {
        switch self {
        case .opened, .failed: true
        case .frame, .preview, .camerasChanged, .warning: false
        }
    }
}
