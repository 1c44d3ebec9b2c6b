// A simulated camera in real time, for `roosterd --simulate`.

import Devices
import Synchronization

package enum CameraFault: String, Hashable, Sendable, CaseIterable {
    /// The frames are too dark for a code to be read.
    case dark
    case blur
    /// The camera delivers no more frames, and reports nothing.
    case freeze
    /// The frames are truncated.
    case cut
    case unplugged
}

/// The view of a simulated camera.
package struct CameraScene: Hashable, Sendable {
    package var codes: [ReadCode]
    package var light: Int
    package var sharpness: Int
    /// A small JPEG picture of the view; nil if the scene is no picture.
    package var preview: [UInt8]?

    package init(codes: [ReadCode] = [], light: Int = 50, sharpness: Int = 50, preview: [UInt8]? = nil) {
        (self.codes, self.light, self.sharpness, self.preview) = (codes, light, sharpness, preview)
    }
}

/// A camera that sees only the scenes passed to `show`.
package final class VirtualCamera: Camera {
    private struct State {
        var order = CameraOrder.off
        var fault: CameraFault?
        var scene = CameraScene()
        /// The number of orders to read or to stop. It ends the frames of an earlier order.
        var orderCount = 0
        var isOver = false
    }

    private let stream = ReportStream<CameraReport>(countMax: 64)
    private let clock: any WallClock
    private let state = Mutex(State())

    private static let frameNanoseconds: UInt64 = 66_000_000
    private static let name = "Simulated camera"

    /// Creates a camera that dates its frames by this clock.
    package init(clock: any WallClock) { self.clock = clock }

    deinit {
        stream.finish()
    }

    /// The frames and failures.
    package var reports: AsyncStream<CameraReport> { stream.reports }

    package func order(_ order: CameraOrder) {
        let count = state.withLock { state -> Int? in
            guard !state.isOver else { return nil }
            let wasOff = state.order == .off
            state.order = order
            guard wasOff != (order == .off) else { return nil }
            state.orderCount += 1
            return order == .off ? nil : state.orderCount
        }
        guard let count else { return }
        open()
        Task { await self.emitFrames(count) }
    }

    package func end() {
        state.withLock { ($0.order, $0.isOver) = (.off, true) }
        stream.finish()
    }

    /// Sets the camera's fault; nil repairs it.
    package func change(to fault: CameraFault?) {
        let (before, order) = state.withLock { state in
            defer { state.fault = fault }
            return (state.fault, state.order)
        }
        guard (before == .unplugged) != (fault == .unplugged) else { return }
        if order == .off { stream.emit(.camerasChanged) } else { open() }
    }

    /// Replaces the view.
    package func show(_ scene: CameraScene) { state.withLock { $0.scene = scene } }

    /// The fault, the view, and whether the camera is on.
    package var present: (fault: CameraFault?, scene: CameraScene, isOn: Bool) {
        state.withLock { ($0.fault, $0.scene, $0.order != .off) }
    }

    private func open() {
        let isThere = state.withLock { $0.fault != .unplugged }
        stream.emit(isThere ? .opened(name: VirtualCamera.name) : .failed(.none))
    }

    private func emitFrames(_ count: Int) async {
        var silentFrames = 0
        while true {
            let (order, fault, scene, isCurrent) = state.withLock { state in
                (state.order, state.fault, state.scene, state.orderCount == count && state.order != .off)
            }
            guard isCurrent else { return }
            if case .read(let wanted, let previews) = order, let frame = frame(fault, scene, wanted) {
                silentFrames = 0
                stream.emit(.frame(frame))
                if previews, let preview = scene.preview { stream.emit(.preview(preview)) }
            } else {
                silentFrames += 1
                // A real camera without frames is reported in the same way.
                if fault != .unplugged, silentFrames % VirtualCamera.silentFramesMax == 0 {
                    stream.emit(.failed(.silent(node: VirtualCamera.name)))
                }
            }
            do {
                try await Task.sleep(nanoseconds: VirtualCamera.frameNanoseconds)
            } catch {
                return
            }
        }
    }

    private static let silentFramesMax = 30
    /// No code can be read in a picture with less light.
    private static let darkLight = 5

    private func frame(_ fault: CameraFault?, _ scene: CameraScene, _ wanted: Set<Symbology>) -> CameraFrame? {
        let uptime = clock.reading.uptimeMilliseconds
        switch fault {
        case .freeze, .cut, .unplugged: return nil
        case .dark: return CameraFrame(takenUptime: uptime, light: 2, isDark: true, sharpness: 0)
        case .blur: return CameraFrame(takenUptime: uptime, sharpness: 5)
        case nil:
            return CameraFrame(
                takenUptime: uptime, codes: scene.codes.filter { wanted.contains($0.symbology) }, light: scene.light,
                isDark: scene.light < VirtualCamera.darkLight, sharpness: scene.sharpness)
        }
    }
}
