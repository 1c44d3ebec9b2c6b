// The tests of a configuration's values and of the messages about its mistakes.

import Devices
import Testing

@testable import Configuration

/// Reads a configuration from a file named `c`.
func reading(_ text: String) -> ConfigurationReading {
    ConfigurationReading(Array(text.utf8), calledBy: "c")
}

/// Returns the messages about its problems.
func problems(_ text: String) -> [String] {
    reading(text).problems.map(\.description)
}

@Suite struct ConfigurationReadingTests {
    @Test func emptyText_givesTheDefaults() {
        for text in ["", "\n", "# speaker: { mixer = 3; };", "speaker: { }; log = { }", "\u{FEFF}", "\r\n// \r\n"] {
            #expect(reading(text).configuration == Configuration())
            #expect(reading(text).problems.isEmpty)
        }
    }

    @Test func everyOption_isRead() {
        let text = """
            \u{FEFF}log = { level = "debug" }
            speaker: { routes = ("usb:0d8c:0014", "Headphones"), mixer = -6.5; sounds = "/home/a/My sounds"; };\r
            control: { socket = "/tmp/" "rooster"; group: "wheel" }
            """
        let reading = reading(text)
        #expect(reading.problems.isEmpty)
        var expected = Configuration()
        expected.log.level = .debug
        expected.speaker.order = .listed(["usb:0d8c:0014", "Headphones"])
        expected.speaker.mixerDecibels = -6.5
        expected.speaker.sounds = "/home/a/My sounds"
        expected.control.socket = "/tmp/rooster"
        expected.control.group = "wheel"
        #expect(reading.configuration == expected)
    }

    @Test func mixer_canBeSwitchedOff() {
        #expect(reading("speaker: { mixer = False; };").configuration.speaker.mixerDecibels == nil)
        #expect(reading("speaker: { mixer = 0x0a; };").configuration.speaker.mixerDecibels == 10)
        #expect(reading("speaker: { mixer = 12L; };").configuration.speaker.mixerDecibels == 12)
    }

    @Test func stepCounter_replacesTheLine() {
        func source(_ text: String) -> Configuration.StepOptions.Source? {
            reading("steps: { \(text) };").configuration.steps.source
        }
        #expect(source("") == nil)
        #expect(source("line = \"GPIO24\"; active = \"high\";") == .line(LineInput(LineName("GPIO24"), active: .high)))
        #expect(source("counter = \"any\";") == .counter(name: nil))
        #expect(source("counter = \"bmi323-imu\"; line = \"GPIO24\";") == .counter(name: "bmi323-imu"))
    }

    static let decibels = "a number of decibels from -40 to 40, or false, not VALUE, so 0 is used"
    static let cards =
        #"a list of cards such as [ "usb:", "Headphones" ], not VALUE, so [ ] is used"#
    static let path = "an absolute path in quotes, not VALUE, so \"/var/lib/rooster/sounds\" is used"
    static let socket =
        "an absolute path in quotes, of at most 107 bytes, not VALUE, so \"/run/rooster/control.sock\" is used"
    static let group = #"the name of a group in quotes, not VALUE, so "rooster" is used"#
    private static let line =
        #"a GPIO line in quotes, such as "GPIO17" or "pinctrl-rp1:GPIO17", or "" for none, not VALUE, so "" is used"#
    static let level = #"one of "debug", "info", "warning", not VALUE, so "info" is used"#
    static let codes =
        "qr, datamatrix, aztec, pdf417, ean13, ean8, upca, upce, code128, code39, code93, codabar, itf"
    static let codeList = #"a list of codes such as [ "qr", "ean13" ], from "# + codes + ", not VALUE"
    static let qrInstead = #", so [ "qr" ] is used"#
    static let longPath = "/" + String(repeating: "a", count: 107)

    @Test(arguments: [
        ("speaker: { mixer = 41 };", "speaker.mixer: 41", decibels),
        ("speaker: { mixer = -40.01 };", "speaker.mixer: -40.01", decibels),
        ("speaker: { mixer = 1e999 };", "speaker.mixer: inf", decibels),
        ("speaker: { mixer = 2000000000 };", "speaker.mixer: 2000000000", decibels),
        ("speaker: { mixer = true };", "speaker.mixer: true", decibels),
        ("speaker: { mixer = \"0\" };", "speaker.mixer: \"0\"", decibels),
        ("speaker: { mixer = { a = 1 } };", "speaker.mixer: a group { … }", decibels),
        ("speaker: { mixer = [ 0 ] };", "speaker.mixer: this list", decibels),
        ("speaker: { routes = \"usb:\" };", "speaker.routes: \"usb:\"", cards),
        ("speaker: { routes = ( \"a\", 1 ) };", "speaker.routes: this list", cards),
        ("speaker: { routes = [ \"a\", \"\" ] };", "speaker.routes: this list", cards),
        ("speaker: { routes = [ \"a\\n\" ] };", "speaker.routes: this list", cards),
        ("speaker: { sounds = \"sounds\" };", "speaker.sounds: \"sounds\"", path),
        ("speaker: { sounds = \"/a\\x1b[2J\" };", "speaker.sounds: \"/a\\u{1B}[2J\"", path),
        ("speaker: { sounds = \"/\\xff\" };", "speaker.sounds: \"/\u{FFFD}\"", path),
        ("control: { socket = \"\" };", "control.socket: \"\"", socket),
        ("control: { group = \"my group\" };", "control.group: \"my group\"", group),
        ("control: { group = \"-x\" };", "control.group: \"-x\"", group),
        ("control: { group = \"\" };", "control.group: \"\"", group),
        (
            "control: { group = \"abcdefghijklmnopqrstuvwxyzabcdefg\" };",
            "control.group: \"abcdefghijklmnopqrstuvwxyzabcdefg\"", group
        ),
        ("control: { group = 100 };", "control.group: 100", group),
        (
            "camera: { codes = [ \"qr\", \"ean14\" ] };", "camera.codes: \"ean14\"",
            "a list of " + codes + ", without VALUE (did you mean \"ean13\"?)" + qrInstead
        ),
        (
            "camera: { codes = ( \"qr\", 13 ) };", "camera.codes: 13",
            "a list of " + codes + ", without VALUE" + qrInstead
        ),
        ("camera: { codes = [ ] };", "camera.codes: this list", codeList + qrInstead),
        ("camera: { codes = \"qr\" };", "camera.codes: \"qr\"", codeList + qrInstead),
        ("log: { level = \"loud\" };", "log.level: \"loud\"", level),
        ("log: { level = \"Info\" };", "log.level: \"Info\"", level),
        ("buttons: { snooze = \"17\" };", "buttons.snooze: \"17\"", line),
        ("buttons: { snooze = 17 };", "buttons.snooze: 17", line),
        ("buttons: { stop = \"GPIO 17\" };", "buttons.stop: \"GPIO 17\"", line),
        ("buttons: { stpo = \"GPIO17\" };", "buttons.stpo: is an unknown option: did you mean buttons.stop?", ""),
        (
            "steps: { pull = \"sideways\" };", "steps.pull: \"sideways\"",
            "one of \"up\", \"down\", \"none\", not VALUE, so \"up\" is used"
        ),
        (
            "steps: { counter = true };", "steps.counter: true",
            "the name of a step counter or \"any\" in quotes, or \"\" for none, not VALUE, so \"\" is used"
        ),
        ("log = 5;", "log: must be a group { … }, not 5", ""),
        ("log = ( \"a\" );", "log: must be a group { … }, not this list", ""),
        ("speaker: { mixr = 1 };", "speaker.mixr: is an unknown option: did you mean speaker.mixer?", ""),
        ("speaker: { Mixer = 1 };", "speaker.Mixer: is an unknown option: did you mean speaker.mixer?", ""),
        // A similar option of the same group is suggested before one of another group.
        ("lamps: { actvie = \"low\" };", "lamps.actvie: is an unknown option: did you mean lamps.active?", ""),
        ("speaker: { level = \"info\" };", "speaker.level: is an unknown option: did you mean log.level?", ""),
        ("log: { colour = 1 };", "log.colour: is an unknown option (known: log.level)", ""),
        (
            "speaker: { volume = 1 };",
            "speaker.volume: is an unknown option (known: speaker.routes, speaker.mixer, speaker.sounds)", ""
        ),
        ("speakers: { mixer = 1 };", "speakers: is an unknown option: did you mean speaker?", ""),
        ("mixer = 1;", "mixer: is an unknown option: did you mean speaker.mixer?", ""),
        (
            "bedroom: { };",
            "bedroom: is an unknown option (known: speaker, camera, buttons, lamps, buzzer, shaker, keypad, steps, tags, control, log)",
            ""
        ),
    ])
    func mistake_isReported_withItsLineAndKey(text: String, message: String, expected: String) {
        let reading = reading("# one\n\n\(text)\n")
        let parts = message.split(separator: ": ", maxSplits: 1)
        let refusal = "c:3: \(parts[0]): must be \(expected.replacing("VALUE", with: parts.last ?? ""))"
        #expect(reading.problems.map(\.description) == [expected.isEmpty ? "c:3: \(message)" : refusal])
        #expect(reading.configuration == Configuration())
    }

    /// The owner may want it, so a contradiction is a warning only.
    @Test func contradictoryOptions_areAccepted_andReported() {
        let reading = reading(
            "buttons: { snooze = \"GPIO17\"; stop = \"GPIO17\"; };\nsteps: { line = \"GPIO4\"; counter = \"any\"; };")
        #expect(
            reading.problems.map { "\($0)" } == [
                "c:1: buttons.stop: is already the line of buttons.snooze: use another line",
                "c:2: steps.counter: steps.line has no effect beside steps.counter",
            ])
        #expect(reading.problems.allSatisfy { !$0.isMistake })
    }

    @Test func codesWithoutQR_areAccepted_withAWarning() {
        let reading = reading("camera: {\n  codes = [ \"ean13\" ] };")
        #expect(reading.configuration.camera.symbologies == [.ean13])
        let message = #"c:2: camera.codes: without "qr" no sheet that Rooster prints can be enrolled"#
        #expect(reading.problems.map(\.description) == [message])
        #expect(reading.problems.allSatisfy { !$0.isMistake })
        #expect(problems(#"camera: { codes = [ "ean13", "qr" ] };"#).isEmpty)
    }

    @Test func socketPath_mustFitIntoItsAddress() {
        let fits = String(ConfigurationReadingTests.longPath.dropLast())
        #expect(reading("control: { socket = \"\(fits)\" };").configuration.control.socket == fits)
        let mistakes = problems("control: { socket = \"\(ConfigurationReadingTests.longPath)\" };")
        #expect(mistakes.count == 1)
        #expect(mistakes[0].contains("of at most 107 bytes, not \"/aaa"))
    }

    @Test func allMistakes_areReported_andValidOptionsApply() {
        let text = """
            lgo: { level = "debug"; };
            control:
            {
                group = "two words";
                sokcet = "/tmp/r";
                @include "/etc/passwd"
                socket = "/tmp/s";
            };
            speaker: { mixer = "loud";
                sounds = "/srv/sounds"; routes = [ "Headphones" ]; };
            """
        let reading = reading(text)
        #expect(
            reading.problems.map(\.description) == [
                "c:1: lgo: is an unknown option: did you mean log?",
                "c:4: control.group: must be the name of a group in quotes, not \"two words\", so \"rooster\" is used",
                "c:5: control.sokcet: is an unknown option: did you mean control.socket?",
                "c:6: @include is not supported: copy the contents of that file here",
                "c:9: speaker.mixer: must be a number of decibels from -40 to 40, or false, not \"loud\", so 0 is used",
            ])
        var expected = Configuration()
        expected.control.socket = "/tmp/s"
        expected.speaker.sounds = "/srv/sounds"
        expected.speaker.order = .listed(["Headphones"])
        #expect(reading.configuration == expected)
    }

    @Test func manyMistakes_areCountedBeyondALimit() {
        let text = (1...500).map { "a\($0) = 1;\n" }.joined()
        let problems = problems("log: {\n\(text)};")
        #expect(problems.count == ConfigurationReading.problemsMax + 1)
        #expect(problems.first == "c:2: log.a1: is an unknown option (known: log.level)")
        #expect(problems.last == "c: there are 400 more mistakes")
    }

    @Test func longName_isShortened() {
        let name = String(repeating: "a", count: 10_000)
        let expected = "c:1: log.\(name.prefix(56))…: is an unknown option (known: log.level)"
        #expect(problems("log: { \(name) = 1; };") == [expected])
    }

    @Test func includeInAComment_isIgnored() {
        #expect(problems("# @include \"/etc/passwd\"\n  // @include \"a\"\n").isEmpty)
    }
}
