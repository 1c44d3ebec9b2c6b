// Helps a camera to see: light, focus, the flicker of lamps. All of it is put back.

import Devices

/// What is set of one camera, decided by what its pictures show.
///
/// In the light frames come at their rate; in the dark each may be exposed for up to a fifth of a second. A camera without an
/// automatic exposure gets the longest of these and all its gain. One without an automatic focus, that has read nothing for 3 s,
/// is focused on five near distances in turn.
struct CameraControls {
    private var before: [(control: CameraControl, value: Int32)] = []
    private var isDark = false
    private var changedUptime: Int?
    private var startedUptime: Int?
    private var sweep = Sweep()
    private var views: [Int] = []

    /// So long it has to be dark, or light again, before anything is changed.
    private static let timeoutMilliseconds = 500
    private static let codelessMilliseconds = 3000
    private static let leastRate = 5.0
    /// In units of 100 µs: a fifth of a second.
    private static let longestExposure: Int32 = 2000

    private struct Sweep {
        var codeUptime: Int?
        var step = 0
        var steppedUptime: Int?
        /// Nothing for a camera that focuses by itself, or not at all.
        var range: ControlRange?
        var isRangeKnown = false
    }

    mutating func begin(_ device: some VideoDevice, _ powerLine: PowerLine) {
        switch powerLine {
        case .untouched: break
        case .hertz50: set(device, .powerLineFrequency, to: 1)
        case .hertz60: set(device, .powerLineFrequency, to: 2)
        case .auto: set(device, .powerLineFrequency, to: 3)
        }
        set(device, .automaticFocus, to: 1)
        set(device, .automaticGain, to: 1)
        // 1 is by hand; by aperture, then wholly automatic.
        if device.range(of: .automaticExposure)?.value == 1 {
            if !set(device, .automaticExposure, to: 3) { set(device, .automaticExposure, to: 0) }
        }
        set(device, .dynamicFrameRate, to: 0)
    }

    mutating func adjust(_ device: some VideoDevice, to view: LensView) {
        startedUptime = startedUptime ?? view.uptime
        adjustLight(device, view)
        adjustFocus(device, view)
    }

    mutating func restore(_ device: some VideoDevice) {
        for (control, value) in before.reversed() { CameraControls.apply(device, control, value) }
        before = []
    }

    // MARK: Light

    private mutating func adjustLight(_ device: some VideoDevice, _ view: LensView) {
        views.append(view.uptime)
        views.removeAll { view.uptime - $0 > 2000 }
        if view.isDark == isDark { changedUptime = nil }
        if view.isDark != isDark {
            let since = changedUptime ?? view.uptime
            changedUptime = since
            guard view.uptime - since >= CameraControls.timeoutMilliseconds else { return }
            (isDark, changedUptime) = (view.isDark, nil)
            isDark ? brighten(device) : darken(device)
        }
        // A code that is shown for a moment is to be in a frame.
        if isDark, let first = views.first, view.uptime - first > 1500 {
            let rate = Double(views.count - 1) * 1000 / Double(view.uptime - first)
            if rate < CameraControls.leastRate { set(device, .dynamicFrameRate, to: 0) }
        }
    }

    private mutating func brighten(_ device: some VideoDevice) {
        set(device, .dynamicFrameRate, to: 1)
        let isAutomatic = device.range(of: .automaticExposure).map { $0.value != 1 } ?? false
        guard !isAutomatic else { return }
        if let exposure = device.range(of: .exposure) {
            set(device, .exposure, to: min(exposure.most, max(exposure.least, CameraControls.longestExposure)))
        }
        if device.range(of: .automaticGain)?.value != 1, let gain = device.range(of: .gain) {
            set(device, .gain, to: gain.most)
        }
    }

    private mutating func darken(_ device: some VideoDevice) {
        set(device, .dynamicFrameRate, to: 0)
        for control in [CameraControl.exposure, .gain] {
            if let value = before.first(where: { $0.control == control })?.value {
                CameraControls.apply(device, control, value)
            }
        }
    }

    // MARK: Focus

    private mutating func adjustFocus(_ device: some VideoDevice, _ view: LensView) {
        if view.hasCode { sweep.codeUptime = view.uptime }
        let since = max(sweep.codeUptime ?? startedUptime ?? view.uptime, sweep.steppedUptime ?? 0)
        let timeout = sweep.steppedUptime == nil ? CameraControls.codelessMilliseconds : 1000
        guard view.uptime - since >= timeout else { return }
        // Asked once, and not for each frame: it may be a question to the camera itself.
        if !sweep.isRangeKnown {
            sweep.isRangeKnown = true
            sweep.range = device.range(of: .automaticFocus) == nil ? device.range(of: .focus) : nil
        }
        guard let focus = sweep.range, focus.most > focus.least else { return }
        // The larger, the nearer.
        let parts = [6, 8, 10, 4, 2]
        let part = parts[sweep.step % parts.count]
        let value = focus.least + Int32((Int(focus.most) - Int(focus.least)) * part / 10)
        set(device, .focus, to: value - (value - focus.least) % focus.step)
        sweep.step += 1
        sweep.steppedUptime = view.uptime
    }

    // MARK: Setting

    /// Sets it, where the camera has it and it is not so already. Whether it is so now.
    @discardableResult
    private mutating func set(_ device: some VideoDevice, _ control: CameraControl, to value: Int32) -> Bool {
        guard let range = device.range(of: control), (range.least...range.most).contains(value) else { return false }
        guard range.value != value else { return true }
        if !before.contains(where: { $0.control == control }) { before.append((control, range.value)) }
        return CameraControls.apply(device, control, value)
    }

    @discardableResult
    private static func apply(_ device: some VideoDevice, _ control: CameraControl, _ value: Int32) -> Bool {
        do throws(VideoError) {
            try device.set(control, to: value)
            return true
        } catch {
            // It sees as it did: what it was for is a wish.
            return false
        }
    }
}
