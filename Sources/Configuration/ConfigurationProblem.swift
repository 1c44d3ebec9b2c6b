// What is wrong with a configuration file, said so that its owner finds it.

package struct ConfigurationProblem: Hashable, Sendable {
    package let file: String
    /// The line, counted from 1; nothing where it is about the whole file.
    package var line: Int?
    /// The option, as in `speaker.mixer`.
    package var key: String?
    package let words: String
    /// Whether it could not be taken as it is written; what is taken may still not be what its owner expects.
    package var isMistake = true
}

extension ConfigurationProblem: CustomStringConvertible {
    /// `FILE:LINE: KEY: words`, as editors and compilers write it.
    package var description: String {
        let place = line.map { "\(file):\($0): " } ?? "\(file): "
        let key = key.map { "\($0): " } ?? ""
        return "\(place)\(key)\(words)"
    }
}
