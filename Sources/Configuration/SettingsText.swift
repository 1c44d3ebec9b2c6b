// Parses the text of a configuration file with libconfig.

import CConfig
import Text

/// The settings and the syntax errors of a text.
struct SettingsText {
    struct Flaw: Hashable, Sendable {
        let line: Int
        let text: String
    }

    /// The settings on lines above the syntax error, or all if there is none.
    private(set) var settings: [Setting] = []
    private(set) var flaws: [Flaw] = []

    init(_ bytes: [UInt8]) {
        var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map(Array.init)
        // Some editors begin a file with a Unicode byte order mark.
        if lines[0].starts(with: byteOrderMark) { lines[0].removeFirst(byteOrderMark.count) }
        refuseInclusions(&lines)
        read(lines)
    }

    /// Rejects @include. The other file could be a pipe that never ends, or the file itself.
    private mutating func refuseInclusions(_ lines: inout [[UInt8]]) {
        for index in lines.indices where lines[index].drop(while: isBlank).starts(with: "@include".utf8) {
            flaws.append(Flaw(line: index + 1, text: "@include is not supported: copy the contents of that file here"))
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
        // libconfig would end the text at a zero byte. A 1 takes its place, which is reported as a syntax
        // error.
        let text = (lines + [Array("\(mark) = 0".utf8)]).joined(separator: [UInt8(ascii: "\n")])
        let characters = text.map { $0 == 0 ? 1 : CChar(bitPattern: $0) } + [0]
        let isRead = config_read_string(configuration, characters) == CONFIG_TRUE
        let end = isRead ? Int.max : Int(configuration_error_line(configuration))
        settings = members(of: configuration_root(configuration), above: end)
        if settings.last?.name == mark {
            settings.removeLast()
        } else if isRead {
            flaws.append(Flaw(line: commentLine(lines), text: "this comment has no end"))
        } else {
            let reason = configuration_error_text(configuration).map { String(cString: $0) } ?? "no configuration"
            flaws.append(flaw(reason, line: end, lines))
        }
    }
}

/// Returns the error for the line at which libconfig stopped. The cause may be an earlier line.
private func flaw(_ reason: String, line: Int, _ lines: [[UInt8]]) -> SettingsText.Flaw {
    guard lines.indices.contains(line - 1) else {
        return .init(line: lines.count, text: "\(reason) at the end of the file, or before it")
    }
    let written = String(decoding: lines[line - 1].drop(while: isBlank), as: UTF8.self).quoted
    return .init(line: line, text: "\(reason) at \(written), or before it. Everything from here on is ignored.")
}

/// A setting behind the last line. If libconfig succeeds without it, a comment has no end: libconfig itself
/// does not report that.
private let mark = "*end*of*file*"

private func commentLine(_ lines: [[UInt8]]) -> Int {
    1 + (lines.lastIndex { String(decoding: $0, as: UTF8.self).contains("/*") } ?? 0)
}

private let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

private func isBlank(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || (9...13).contains(byte)
}

/// Returns the settings of a group that are above a line.
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

/// Returns the setting's value, or nil if the text broke off before it, or if its type is unknown.
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
    /// The value in a message: short and on one line.
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
