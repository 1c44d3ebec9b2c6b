// Reads the configuration file. An invalid file still gives a configuration to ring by.

import CivilTime
import Glibc
import Text

/// The result of reading a configuration file: each option as written or by default, and all problems.
package struct ConfigurationReading: Hashable, Sendable {
    package static let standardPath = "/etc/rooster/rooster.conf"

    /// libconfig compares each name with all others of its group, so a larger file would delay the alarms.
    static let fileBytesMax = 1 << 16

    /// The most problems that are listed. The rest are only counted.
    static let problemsMax = 100

    package let path: String
    /// False if the standard file does not exist. For a named file this is a problem instead.
    package private(set) var isThere = true
    package private(set) var configuration = Configuration()
    /// In the order of their lines.
    package private(set) var problems: [ConfigurationProblem] = []

    /// Reads the named file, or the standard one if it exists.
    package static func ofFile(at named: String?) -> ConfigurationReading {
        let path = named ?? standardPath
        var nothing = ConfigurationReading([], calledBy: path)
        do throws(SmallFileError) {
            return ConfigurationReading(try contents(ofFileAt: path, bytesMax: fileBytesMax), calledBy: path)
        } catch .failed(ENOENT) where named == nil {
            // The standard file is optional.
            nothing.isThere = false
        } catch {
            nothing.addProblem("cannot be read (\(error)), so every option has its default")
        }
        return nothing
    }

    /// Parses the contents of a file with that path.
    init(_ bytes: [UInt8], calledBy path: String) {
        self.path = path
        let text = SettingsText(bytes)
        for flaw in text.flaws { addProblem(flaw.text, line: flaw.line) }
        for setting in text.settings {
            guard Option.groups.contains(setting.name) else {
                addProblem(ConfigurationReading.unknown(setting.name), line: setting.line, key: setting.name)
                continue
            }
            guard case .group(let members) = setting.value else {
                let text = "must be a group { … }, not \(setting.value.shown)"
                addProblem(text, line: setting.line, key: setting.name)
                continue
            }
            for member in members { apply(member, of: setting.name) }
        }
        problems.sort { ($0.line ?? 0) < ($1.line ?? 0) }
        let leftOut = problems.dropFirst(ConfigurationReading.problemsMax).count
        guard leftOut > 0 else { return }
        problems.removeLast(leftOut)
        addProblem("there are \(leftOut) more mistakes")
    }

    private mutating func apply(_ setting: Setting, of group: String) {
        let key = "\(group).\(setting.name)"
        guard let option = Option.all.first(where: { $0.key == key }) else {
            return addProblem(ConfigurationReading.unknown(setting.name, in: group), line: setting.line, key: key)
        }
        guard option.apply(setting.value, &configuration) else {
            return addProblem(
                "\(option.fault(setting.value)), so \(option.standard) is used", line: setting.line, key: key)
        }
        addContradictions(key, line: setting.line)
    }

    /// Reports settings that are valid by themselves and do not fit together.
    private mutating func addContradictions(_ key: String, line: Int?) {
        if let other = configuration.otherUse(of: key) {
            let text = "is already the line of \(other): use another line"
            addProblem(text, line: line, key: key, isMistake: false)
        }
        if key.hasPrefix("steps."), configuration.steps.line != nil, !configuration.steps.counter.isEmpty {
            addProblem("steps.line has no effect beside steps.counter", line: line, key: key, isMistake: false)
        }
        guard key == "camera.codes", !configuration.camera.symbologies.contains(.qr) else { return }
        let text = "without \"qr\" no sheet that Rooster prints can be enrolled"
        addProblem(text, line: line, key: key, isMistake: false)
    }

    /// Describes a name that no option of the group has, or if `group` is nil, that no group has.
    private static func unknown(_ name: String, in group: String? = nil) -> String {
        let known = group.map { group in Option.all.filter { $0.group == group }.map(\.key) } ?? Option.groups
        let nearGroup = group == nil ? known.first(where: name.isNearly) : nil
        let meant = nearGroup ?? Option.meant(by: name, in: group)?.key
        return "is an unknown option"
            + (meant.map { ": did you mean \($0)?" } ?? " (known: \(known.joined(separator: ", ")))")
    }

    private mutating func addProblem(
        _ text: String, line: Int? = nil, key: String? = nil, isMistake: Bool = true
    ) {
        problems.append(
            ConfigurationProblem(file: path, line: line, key: key?.inOneLine, text: text, isMistake: isMistake))
    }
}

package struct ConfigurationProblem: Hashable, Sendable {
    package let file: String
    /// The line, counted from 1; nil if the problem concerns the whole file.
    package var line: Int?
    /// The option, such as `speaker.mixer`.
    package var key: String?
    package let text: String
    /// True if the option could not be set as written. False for a setting that may surprise its owner.
    package var isMistake = true
}

extension ConfigurationProblem: CustomStringConvertible {
    /// `FILE:LINE: KEY: text`, the form that editors and compilers use.
    package var description: String {
        let place = line.map { "\(file):\($0): " } ?? "\(file): "
        let key = key.map { "\($0): " } ?? ""
        return "\(place)\(key)\(text)"
    }
}
