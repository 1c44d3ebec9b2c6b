// The tests of the controls that are set in the dark or while no code is read, and then restored.

import Testing

@testable import rooster_camera

@Suite struct CameraControlsTests {
    private var controls = CameraControls()

    /// Adjusts the controls at each of these times.
    private mutating func adjust(
        _ camera: SimulatedVideoDevice, _ uptimes: StrideThrough<Int>, isDark: Bool = false, hasCode: Bool = false
    ) {
        for uptime in uptimes {
            controls.adjust(camera, to: LensView(uptime: uptime, isDark: isDark, hasCode: hasCode))
        }
    }

    private func camera(_ controls: [CameraControl: Int32]) -> SimulatedVideoDevice {
        let camera = SimulatedVideoDevice([.init(code: .grey, width: 4, height: 2, rates: [30])])
        for (control, value) in controls {
            camera.controls[control] = ControlRange(least: 0, most: 5000, step: 5, value: value)
        }
        return camera
    }

    private func values(_ camera: SimulatedVideoDevice) -> [CameraControl: Int32] { camera.controls.mapValues(\.value) }

    @Test mutating func automaticCamera_slowsDownOnlyInTheDark_andIsRestored() {
        let before: [CameraControl: Int32] = [
            .dynamicFrameRate: 1, .automaticExposure: 1, .automaticFocus: 0, .powerLineFrequency: 2, .gain: 7,
        ]
        let camera = camera(before)
        controls.begin(camera, .hertz50)
        #expect(values(camera)[.dynamicFrameRate] == 0)
        #expect(values(camera)[.automaticExposure] == 3)
        #expect(values(camera)[.automaticFocus] == 1)
        #expect(values(camera)[.powerLineFrequency] == 1)
        adjust(camera, stride(from: 0, through: 1000, by: 100), isDark: true)
        #expect(values(camera)[.dynamicFrameRate] == 1)
        #expect(values(camera)[.gain] == 7)
        adjust(camera, stride(from: 1100, through: 2000, by: 100))
        #expect(values(camera)[.dynamicFrameRate] == 0)
        controls.restore(camera)
        #expect(values(camera) == before)
    }

    @Test mutating func briefDarkness_changesNothing() {
        let camera = camera([.dynamicFrameRate: 0])
        for uptime in stride(from: 0, through: 5000, by: 100) {
            controls.adjust(camera, to: LensView(uptime: uptime, isDark: uptime / 100 % 4 != 0, hasCode: false))
        }
        #expect(camera.settings.isEmpty)
    }

    @Test mutating func cameraThatBecomesTooSlow_isKeptAtItsRate() {
        let camera = camera([.dynamicFrameRate: 0])
        adjust(camera, stride(from: 0, through: 1000, by: 100), isDark: true)
        #expect(values(camera)[.dynamicFrameRate] == 1)
        adjust(camera, stride(from: 1300, through: 5000, by: 300), isDark: true)
        #expect(values(camera)[.dynamicFrameRate] == 0)
    }

    @Test mutating func cameraWithoutAutomatics_getsLongExposureAndAllGain_inTheDark() {
        let before: [CameraControl: Int32] = [.exposure: 100, .gain: 10]
        let camera = camera(before)
        controls.begin(camera, .untouched)
        adjust(camera, stride(from: 0, through: 1000, by: 100), isDark: true)
        #expect(values(camera) == [.exposure: 2000, .gain: 5000])
        adjust(camera, stride(from: 1100, through: 2000, by: 100))
        #expect(values(camera) == before)
    }

    @Test mutating func focus_isSweptWhenNothingIsRead() {
        let camera = camera([.focus: 0])
        adjust(camera, stride(from: 0, through: 8000, by: 100))
        #expect(
            camera.settings == ["focus 3000", "focus 4000", "focus 5000", "focus 2000", "focus 1000", "focus 3000"])
        // While a code is readable, the focus stays.
        adjust(camera, stride(from: 8100, through: 20_000, by: 100), hasCode: true)
        #expect(camera.settings.count == 6)
        controls.restore(camera)
        #expect(values(camera) == [.focus: 0])
    }

    @Test mutating func focus_ofAnAutofocusCamera_isLeftAlone() {
        let camera = camera([.focus: 0, .automaticFocus: 1])
        adjust(camera, stride(from: 0, through: 8000, by: 100))
        #expect(camera.settings.isEmpty)
    }
}
