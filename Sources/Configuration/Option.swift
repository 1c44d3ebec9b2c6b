// The table of all options in a configuration file.

import Text

/// An option: its name, its accepted values, and its place in `Configuration`.
struct Option: Sendable {
    /// The group and the name, such as `speaker.mixer`.
    let key: String
    /// The accepted values, as a text that follows "must be".
    let expected: String
    /// Returns the reason why a value is rejected.
    let fault: @Sendable (Setting.Value) -> String
    /// Sets the option in the configuration. Returns false and changes nothing if the value is invalid.
    let apply: @Sendable (_ written: Setting.Value, _ configuration: inout Configuration) -> Bool
    /// Returns the text that sets the option to its value in this configuration.
    let written: @Sendable (Configuration) -> String

    /// All options, in the order of `config/rooster.conf` and rooster.conf(5).
    static let all = [
        Option("speaker.routes", \.speaker.order, .routes),
        Option("speaker.mixer", \.speaker.mixerDecibels, .decibels(-40...40)),
        Option("speaker.sounds", \.speaker.sounds, .path),
        Option("camera.use", \.camera.isUsed, .yesOrNo),
        Option("camera.name", \.camera.name, .name(of: "a camera", empty: "the first one")),
        Option("camera.mains", \.camera.powerLine, .mains),
        Option("camera.codes", \.camera.symbologies, .symbologies),
        Option("buttons.snooze", \.buttons.snooze, .line),
        Option("buttons.stop", \.buttons.stop, .line),
        Option("buttons.pull", \.buttons.pull, .choice()),
        Option("buttons.active", \.buttons.active, .choice()),
        Option("lamps.status", \.lamps.status, .line),
        Option("lamps.camera", \.lamps.camera, .line),
        Option("lamps.active", \.lamps.active, .choice()),
        Option("lamps.sunrise", \.lamps.sunrise, .dimmableLamp),
        Option("buzzer.line", \.buzzer.line, .line),
        Option("buzzer.active", \.buzzer.active, .choice()),
        Option("shaker.line", \.shaker.line, .line),
        Option("shaker.active", \.shaker.active, .choice()),
        Option("keypad.use", \.keypad.isUsed, .yesOrNo),
        Option("keypad.name", \.keypad.name, .name(of: "a keypad", empty: "all")),
        Option("steps.line", \.steps.line, .line),
        Option("steps.pull", \.steps.pull, .choice()),
        Option("steps.active", \.steps.active, .choice()),
        Option("steps.counter", \.steps.counter, .name(of: "a step counter or \"any\"", empty: "none")),
        Option("tags.use", \.tags.isUsed, .yesOrNo),
        Option("tags.reader", \.tags.reader, .name(of: "a tag reader", empty: "all")),
        Option("control.socket", \.control.socket, .socketPath),
        Option("control.group", \.control.group, .groupName),
        Option("control.webGroup", \.control.webGroup, .groupName),
        Option("log.level", \.log.level, .choice()),
    ]

    init<Value>(
        _ key: String, _ place: WritableKeyPath<Configuration, Value> & Sendable, _ form: OptionForm<Value>
    ) {
        self.key = key
        expected = form.expected
        fault = { form.fault($0) ?? "must be \(form.expected), not \($0.shown)" }
        apply = { written, configuration in
            guard let value = form.read(written) else { return false }
            configuration[keyPath: place] = value
            return true
        }
        written = { form.write($0[keyPath: place]) }
    }

    var group: String { String(key.prefix { $0 != "." }) }

    var name: String { String(key.dropFirst(group.count + 1)) }

    var standard: String { written(Configuration()) }
}

extension Option {
    static var groups: [String] {
        all.map(\.group).reduce(into: []) { groups, group in
            if !groups.contains(group) { groups.append(group) }
        }
    }

    /// Returns the option that an unknown name may stand for: a similar name, from the same group if
    /// possible.
    static func meant(by name: String, in group: String?) -> Option? {
        let near = all.filter { name.isNearly($0.name) }
        return near.first { $0.group == group } ?? near.first
    }
}
