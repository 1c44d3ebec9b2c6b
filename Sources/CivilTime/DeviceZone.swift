// The zone that the machine itself is set to.

extension ZoneCatalogue {
    /// Returns the name of the machine's zone, or nil if none is set.
    ///
    /// If `/etc/localtime` is a link into a `zoneinfo` directory, the link gives the name. If it is a file,
    /// `/etc/timezone` gives the name, provided that both have the same clocks. Otherwise the name is the
    /// path of the file, since the machine's clocks follow that file. If it is missing, `/etc/timezone`
    /// alone gives the name.
    public static func deviceZoneName(etc: String = "/etc") -> String? {
        var zones = ZoneCatalogue(etc: etc)
        if let target = destination(ofLinkAt: zones.localtime), let root = target.ranges(of: "zoneinfo/").last {
            let name = String(target[root.upperBound...])
            if isZoneName(name) { return name }
        }
        let written = nameWritten(at: "\(etc)/timezone")
        do throws(ZoneError) {
            let zone = try zones.zone(named: zones.localtime)
            return written.flatMap { zones.has($0, likeThatOf: zone) ? $0 : nil } ?? zones.localtime
        } catch .notFound {
            return written
        } catch {
            // The error is reported when the zone is read.
            return written ?? zones.localtime
        }
    }

    private static func nameWritten(at path: String) -> String? {
        let written: [UInt8]
        do {
            written = try contents(ofFileAt: path, bytesMax: 200)
        } catch {
            // Most machines no longer have this file. An unreadable one counts as absent.
            return nil
        }
        let name = String(decoding: written.prefix { $0 > 0x20 }, as: UTF8.self)
        return isZoneName(name) ? name : nil
    }

    private mutating func has(_ name: String, likeThatOf other: Zone) -> Bool {
        do throws(ZoneError) {
            return try zone(named: name).hasClocks(of: other)
        } catch {
            // The name is not that of a usable zone.
            return false
        }
    }
}

extension Zone {
    /// Returns whether both zones always show the same time, whatever their names.
    fileprivate func hasClocks(of other: Zone) -> Bool {
        changes == other.changes && offsets == other.offsets && rule == other.rule
    }
}
