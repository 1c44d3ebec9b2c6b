// What one run of the camera's program has said, and whether that is to be believed.

import Devices

/// A run, from its start to the end of its line, held to what the program may say: a picture may have taken it over.
struct HelperProtocolCheck: Sendable {
    enum Verdict: Hashable {
        case nothing
        case report(CameraReport)
        case failed(CameraFailure)
        /// It does not keep to what it may say; in words that follow "the program that reads the camera".
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

    /// More in a second than could have waited on its line is a flood.
    static let floodCount = 300
    private static let warningsMax = 10
    private static let previewMilliseconds = 450
    /// A frame that is older says nothing of what is before the camera.
    private static let oldestMilliseconds = 2000

    init(_ kinds: Set<Symbology>, previews: Bool, at uptime: Int, _ timeouts: HelperTimeouts) {
        (self.kinds, self.previews, self.timeouts) = (kinds, previews, timeouts)
        (startedUptime, orderedUptime) = (uptime, uptime)
    }

    mutating func order(_ kinds: Set<Symbology>, previews: Bool, at uptime: Int) {
        (self.kinds, self.previews, orderedUptime) = (kinds, previews, uptime)
    }

    /// When it has been silent, or without frames, for too long.
    var deadline: Int {
        let word =
            receivedUptime.map { $0 + timeouts.silenceMilliseconds } ?? startedUptime + timeouts.startMilliseconds
        return min(word, (lastFrameUptime ?? startedUptime) + timeouts.framesMilliseconds)
    }

    /// What is wrong once its deadline is over.
    var overdue: String {
        guard let receivedUptime else { return "did not start in time" }
        return receivedUptime + timeouts.silenceMilliseconds <= deadline ? "does not answer" : "shows no frames"
    }

    /// Whether it has shown frames for so long that what failed before it no longer counts.
    func isProven(at uptime: Int) -> Bool {
        firstFrameUptime.map { uptime - $0 >= timeouts.provenMilliseconds } ?? false
    }

    /// What it says; nothing for a packet that was too long to be taken.
    mutating func receive(_ packet: [UInt8]?, at uptime: Int) -> Verdict {
        receivedUptime = uptime
        if uptime - second.startUptime >= 1000 { second = (uptime, 0) }
        second.count += 1
        guard second.count <= HelperProtocolCheck.floodCount else { return .breach("says too much") }
        guard let packet, let message = HelperMessage(packet: packet) else {
            return .breach("says what nobody understands")
        }
        switch message {
        case .read: return .breach("says what only it is told")
        case .heartbeat: return .nothing
        // These come once in a run, however much it has said before.
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
            guard !isOpened else { return .breach("opens a camera twice") }
            isOpened = true
            return .report(report)
        case .frame(let frame):
            guard isOpened else { return .breach("shows frames before it has opened a camera") }
            return receive(frame, at: uptime)
        case .preview: return receivePreview(report, at: uptime)
        }
    }

    private mutating func receive(_ frame: CameraFrame, at uptime: Int) -> Verdict {
        var frame = frame
        // The camera's clock may be a little ahead.
        frame.takenUptime = min(frame.takenUptime, uptime)
        guard frame.takenUptime >= lastTakenUptime, uptime - frame.takenUptime <= HelperProtocolCheck.oldestMilliseconds
        else {
            return .nothing
        }
        lastTakenUptime = frame.takenUptime
        (firstFrameUptime, lastFrameUptime) = (firstFrameUptime ?? uptime, uptime)
        guard frame.codes.allSatisfy({ kinds.contains($0.symbology) }) else {
            guard isOrderFresh(at: uptime) else { return .breach("reads codes that nobody asked for") }
            frame.codes.removeAll { !kinds.contains($0.symbology) }
            return .report(.frame(frame))
        }
        return .report(.frame(frame))
    }

    private mutating func receivePreview(_ preview: CameraReport, at uptime: Int) -> Verdict {
        guard previews else {
            return isOrderFresh(at: uptime) ? .nothing : .breach("shows pictures that nobody asked for")
        }
        if let lastPreviewUptime, uptime - lastPreviewUptime < HelperProtocolCheck.previewMilliseconds {
            return .nothing
        }
        lastPreviewUptime = uptime
        return .report(preview)
    }

    /// Whether what it says may still be by the order before.
    private func isOrderFresh(at uptime: Int) -> Bool { uptime - orderedUptime <= timeouts.orderMilliseconds }
}

extension CameraReport {
    /// Whether it is about the run, and not about what the camera sees.
    fileprivate var isOfItsRun: Bool {
        switch self {
        case .opened, .failed: true
        case .frame, .preview, .camerasChanged, .warning: false
        }
    }
}
