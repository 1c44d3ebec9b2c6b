// Which zone the machine itself is set to.

extension ZoneCatalogue {
    /// The name of the machine's zone; nil where none is set.
    ///
    /// It is where `localtime` in `/etc` leads to. Where that is a file of its own, it is what `timezone` there says if both
    /// have the same clocks, and else the path of that file: the machine's clocks go by it.
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
            // Whoever reads the file is told what is wrong with it.
            return written ?? zones.localtime
        }
    }

    private static func nameWritten(at path: String) -> String? {
        let written: [UInt8]
        do {
            written = try contents(ofFileAt: path, bytesMax: 200)
        } catch {
            // Most machines have no such file any more; one that cannot be read says as little.
            return nil
        }
        let name = String(decoding: written.prefix { $0 > 0x20 }, as: UTF8.self)
        return isZoneName(name) ? name : nil
    }

    private mutating func has(_ name: String, likeThatOf other: Zone) -> Bool {
        do throws(ZoneError) {
            return try zone(named: name).hasClocks(of: other)
        } catch {
            // It is no zone's name.
            return false
        }
    }
}

extension Zone {
    /// Whether both always show the same, whatever they are called.
    fileprivate func hasClocks(of other: Zone) -> Bool {
        changes == other.changes && offsets == other.offsets && rule == other.rule
    }
}
