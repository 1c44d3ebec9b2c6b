// The camera's controls for light, focus and the flicker of lamps, which are restored at the end.

import Devices

/// The changes to one camera's controls, decided by its frames.
///
/// In the light, frames come at their usual rate. In the dark, each frame may be exposed for up to a fifth
/// of a second. A camera without automatic exposure gets that exposure and all its gain. A camera without
/// automatic focus that has read nothing for 3 s is focused on five near distances in turn.
struct CameraControls {
    private var before: [(control: CameraControl, value: Int32)] = []
    private var isDark = false
    private var changedUptime: Int?
    private var startedUptime: Int?
    private var sweep = Sweep()
    private var views: [Int] = []

    /// The time for which it must be dark, or light again, before the controls change.
    private static let timeoutMilliseconds = 500
    private static let codelessMilliseconds = 3000
    private static let leastRate = 5.0
    /// A fifth of a second, in units of 100 µs.
    private static let longestExposure: Int32 = 2000

    private struct Sweep {
        var codeUptime: Int?
        var step = 0
        var steppedUptime: Int?
        /// The range of the focus; nil if the camera focuses by itself or not at all.
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
        // 1 is manual. If 3 (aperture priority) is refused, 0 is automatic.
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
        // A code that is shown for a moment must be in a frame.
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
        // Read once, not for each frame: the driver may have to query the camera.
        if !sweep.isRangeKnown {
            sweep.isRangeKnown = true
            sweep.range = device.range(of: .automaticFocus) == nil ? device.range(of: .focus) : nil
        }
        guard let focus = sweep.range, focus.most > focus.least else { return }
        // A larger value focuses nearer.
        let parts = [6, 8, 10, 4, 2]
        let part = parts[sweep.step % parts.count]
        let value = focus.least + Int32((Int(focus.most) - Int(focus.least)) * part / 10)
        set(device, .focus, to: value - (value - focus.least) % focus.step)
        sweep.step += 1
        sweep.steppedUptime = view.uptime
    }

    // MARK: Setting

    /// Sets a control, and records its value from before. Returns true if the control has the value now.
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
            // Controls are optional: without this one, the camera sees as before.
            return false
        }
    }
}
