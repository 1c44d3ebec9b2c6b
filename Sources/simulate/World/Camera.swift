// The camera of a simulated bedside.

import Engine

/// It gives frames while it is on, and is not unplugged. There is a code in them only when somebody shows one.
struct Camera {
    private(set) var view = Happening.View.room
    private var isOn = false
    /// When it gives its next frame. A real one gives ten in a second; so many say nothing more.
    private(set) var nextFrameAt: Int?

    private static let frameMilliseconds = 20_000
    private static let startMilliseconds = 700

    mutating func order(_ order: CameraOrder?, at now: Int) {
        isOn = order != nil
        nextFrameAt = isOn && view != .nothing ? now + Camera.startMilliseconds : nil
    }

    mutating func show(_ view: Happening.View, at now: Int) {
        self.view = view
        nextFrameAt = isOn && view != .nothing ? now + Camera.startMilliseconds : nil
    }

    /// Whoever used it is gone.
    mutating func stop() {
        (isOn, nextFrameAt) = (false, nil)
    }

    mutating func frame(at now: Int) -> Input {
        nextFrameAt = now + Camera.frameMilliseconds
        return .frame([], isDark: view == .sock)
    }

    /// Somebody shows codes to it: what it makes of them, if anything.
    mutating func frame(of codes: [SeenCode], at now: Int) -> Input? {
        switch view {
        case .room: .frame(codes)
        case .sock: frame(at: now)
        case .nothing: nil
        }
    }
}
