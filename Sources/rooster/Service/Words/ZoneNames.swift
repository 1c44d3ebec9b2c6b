// The names of the time zones of this machine, for "did you mean".

import CivilTime
import Text

enum ZoneNames {
    private static let listBytesMax = 1 << 20

    /// Returns the name of a zone that is close to a misspelt one; nil if there is none. A city alone, such as
    /// "berlin", is close to its zone.
    static func near(_ name: String) -> String? {
        let names = names
        let city = names.first { $0.split(separator: "/").last?.lowercased() == name.lowercased() }
        return city ?? names.first(where: name.isNearly)
    }

    /// The names in tzdata's own table; empty if this machine does not have it.
    private static var names: [String] {
        let path = "\(ZoneCatalogue.systemDirectory)/zone.tab"
        let bytes: [UInt8]
        do {
            bytes = try contents(ofFileAt: path, bytesMax: listBytesMax)
        } catch {
            return []
        }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap {
            let columns = $0.split(separator: "\t")
            return columns.count > 2 ? String(columns[2]) : nil
        }
    }
}
