// Takes the text of a configuration file apart, with libconfig.

import CConfig
import Text

/// What stands in the text, and what is wrong with it as a text.
struct SettingsText {
    struct Flaw: Hashable, Sendable {
        let line: Int
        let words: String
    }

    /// All settings that stand in lines above the one that cannot be read, if there is one.
    private(set) var settings: [Setting] = []
    private(set) var flaws: [Flaw] = []

    init(_ bytes: [UInt8]) {
        var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map(Array.init)
        // Some editors begin a file with a mark that it is Unicode.
        if lines[0].starts(with: byteOrderMark) { lines[0].removeFirst(byteOrderMark.count) }
        refuseInclusions(&lines)
        read(lines)
    }

    /// A configuration is one file: another one could be a pipe that never ends, or itself.
    private mutating func refuseInclusions(_ lines: inout [[UInt8]]) {
        for index in lines.indices where lines[index].drop(while: isBlank).starts(with: "@include".utf8) {
            flaws.append(Flaw(line: index + 1, words: "@include is not done: write here what stands in that file"))
            lines[index] = []
        }
    }

    private mutating func read(_ lines: [[UInt8]]) {
        let configuration = UnsafeMutablePointer<config_t>.allocate(capacity: 1)
        config_init(configuration)
        defer {
            config_destroy(configuration)
            configuration.deallocate()
        }
        // To libconfig the text would end with a zero. No text has one, nor has it a 1, which libconfig takes for a mistake.
        let text = (lines + [Array("\(mark) = 0".utf8)]).joined(separator: [UInt8(ascii: "\n")])
        let characters = text.map { $0 == 0 ? 1 : CChar(bitPattern: $0) } + [0]
        let isRead = config_read_string(configuration, characters) == CONFIG_TRUE
        let end = isRead ? Int.max : Int(configuration_error_line(configuration))
        settings = members(of: configuration_root(configuration), above: end)
        if settings.last?.name == mark {
            settings.removeLast()
        } else if isRead {
            flaws.append(Flaw(line: commentLine(lines), words: "a comment begins here, and does not end"))
        } else {
            let words = configuration_error_words(configuration).map { String(cString: $0) } ?? "no configuration"
            flaws.append(flaw(words, line: end, lines))
        }
    }
}

/// What libconfig says of the line at which it stopped: it may only there have noticed what is wrong above.
private func flaw(_ words: String, line: Int, _ lines: [[UInt8]]) -> SettingsText.Flaw {
    guard lines.indices.contains(line - 1) else {
        return .init(line: lines.count, words: "\(words) at the end of the file, or above it")
    }
    let written = String(decoding: lines[line - 1].drop(while: isBlank), as: UTF8.self).quoted
    return .init(line: line, words: "\(words) at \(written), or above it: what stands from here on is left out")
}

/// A setting behind all others, which libconfig overlooks only in a comment that does not end: it would not tell of that.
private let mark = "*end*of*file*"

private func commentLine(_ lines: [[UInt8]]) -> Int {
    1 + (lines.lastIndex { String(decoding: $0, as: UTF8.self).contains("/*") } ?? 0)
}

private let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

private func isBlank(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || (9...13).contains(byte)
}

/// The settings of a group that stand above a line.
private func members(of group: UnsafePointer<config_setting_t>?, above end: Int) -> [Setting] {
    guard let group else { return [] }
    return elements(of: group).compactMap { setting in
        let line = Int(setting_line(setting))
        guard line < end, let name = setting_name(setting),
            let value = value(of: setting, above: end)
        else { return nil }
        return Setting(name: String(cString: name), line: line, value: value)
    }
}

/// The setting's value; nil where the text broke off before it, or where its type is unknown.
private func value(of setting: UnsafePointer<config_setting_t>, above end: Int) -> Setting.Value? {
    switch setting_type(setting) {
    case CONFIG_TYPE_BOOL: .bool(config_setting_get_bool(setting) != 0)
    case CONFIG_TYPE_INT: .whole(Int(config_setting_get_int(setting)))
    case CONFIG_TYPE_INT64: .whole(Int(config_setting_get_int64(setting)))
    case CONFIG_TYPE_FLOAT: .decimal(config_setting_get_float(setting))
    case CONFIG_TYPE_STRING: config_setting_get_string(setting).map { .text(String(cString: $0)) }
    case CONFIG_TYPE_ARRAY, CONFIG_TYPE_LIST: .list(elements(of: setting).compactMap { value(of: $0, above: end) })
    case CONFIG_TYPE_GROUP: .group(members(of: setting, above: end))
    default: nil
    }
}

private func elements(of setting: UnsafePointer<config_setting_t>) -> [UnsafePointer<config_setting_t>] {
    (0..<UInt32(max(0, config_setting_length(setting)))).compactMap { index in
        config_setting_get_elem(setting, index).map { UnsafePointer($0) }
    }
}

struct Setting: Hashable, Sendable {
    indirect enum Value: Hashable, Sendable {
        case bool(Bool)
        case whole(Int)
        case decimal(Double)
        case text(String)
        case list([Value])
        case group([Setting])
    }

    let name: String
    let line: Int
    let value: Value
}

extension Setting.Value {
    /// The value as a message shows it: short, and in one line.
    var shown: String {
        switch self {
        case .bool(let bool): "\(bool)"
        case .whole(let number): "\(number)"
        case .decimal(let number): "\(number)"
        case .text(let text): text.quoted
        case .list: "this list"
        case .group: "a group { … }"
        }
    }
}
