// The session of `watch`: reads frames, sends reports, and applies orders.

import CodeReading
import Devices
import Glibc
import System

/// The reading of one open camera, with reports to the service.
struct WatchSession {
    struct WatchOrder: Hashable {
        var kinds: Set<Symbology>
        var previews: Bool
    }

    private let camera: VideoCapture
    private let socket: ServiceSocket
    private var order: WatchOrder
    private var reader = CodeReader()
    private let previews = PreviewMaker()
    private var isOpened = false
    private var saidUptime = 0.0
    private var previewUptime = 0.0
    private var pictureUptime = Uptime.now
    /// The limit of frames in a second. Two previews and two heartbeats are additional.
    private var throttle = FrameThrottle(perSecond: 24, atOnce: 3)

    private static let silentMilliseconds = 2000.0
    /// The longest wait for the first picture: some cameras are slow to start.
    private static let firstMilliseconds = 4000.0
    private static let heartbeatMilliseconds = 500.0
    private static let previewMilliseconds = 500.0

    init(_ camera: VideoCapture, _ socket: ServiceSocket, _ order: WatchOrder) {
        (self.camera, self.socket, self.order) = (camera, socket, order)
    }

    /// Runs until the socket is closed.
    mutating func run() throws(CameraFailure) {
        while true {
            var descriptors = [
                pollfd(fd: socket.descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: camera.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            let count = poll(&descriptors, 2, Int32(WatchSession.heartbeatMilliseconds / 2))
            if count > 0, descriptors[0].revents != 0, !applyOrders() { return }
            if count > 0, descriptors[1].revents != 0 {
                guard try readPicture(isBroken: descriptors[1].revents & Int16(POLLIN) == 0) else { return }
            }
            let now = Uptime.now
            guard now - pictureUptime < (isOpened ? WatchSession.silentMilliseconds : WatchSession.firstMilliseconds)
            else {
                throw .silent(node: camera.node)
            }
            if now - saidUptime >= WatchSession.heartbeatMilliseconds, !send(.heartbeat, at: now) { return }
        }
    }

    /// Applies the waiting orders. Returns false if the service has closed the socket.
    private mutating func applyOrders() -> Bool {
        while true {
            switch socket.receive() {
            case .message(.read(let kinds, let previews)): order = WatchOrder(kinds: kinds, previews: previews)
            case .message, .closed: return false
            case .nothing: return true
            }
        }
    }

    /// Reads the newest picture and reports its codes. Returns false if the service has closed the socket.
    private mutating func readPicture(isBroken: Bool) throws(CameraFailure) -> Bool {
        let taken = try camera.newest()
        guard let taken else {
            // A broken device stays readable without a frame, so the program waits before the next poll.
            if isBroken { usleep(20_000) }
            return true
        }
        let now = Uptime.now
        pictureUptime = now
        if !isOpened {
            isOpened = true
            guard send(.report(.opened(name: camera.name)), at: now) else { return false }
        }
        guard throttle.admits(at: now) else { return true }
        let budget = min(100, max(20, camera.intervalMilliseconds))
        let result = reader.read(taken.picture, wanted: order.kinds, budgetMilliseconds: budget)
        let codes = result.codes.filter { order.kinds.contains($0.symbology) }
        let frame = CameraFrame(
            takenUptime: taken.uptime, codes: codes, light: result.light, isDark: result.isDark,
            sharpness: result.sharpness)
        guard send(.report(.frame(frame)), at: Uptime.now) else { return false }
        camera.adjust(to: LensView(uptime: taken.uptime, isDark: result.isDark, hasCode: !codes.isEmpty))
        return showPreview(of: taken.picture)
    }

    private mutating func showPreview(of picture: Picture) -> Bool {
        let now = Uptime.now
        guard order.previews, now - previewUptime >= WatchSession.previewMilliseconds else { return true }
        previewUptime = now
        guard let preview = previews.preview(of: picture) else { return true }
        return send(.report(.preview(preview)), at: now)
    }

    private mutating func send(_ message: HelperMessage, at uptime: Double) -> Bool {
        saidUptime = uptime
        return socket.send(message)
    }
}
