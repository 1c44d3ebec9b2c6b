// Which zone the machine itself is set to.

extension ZoneCatalogue {
    /// The name of the machine's zone: where `localtime` in `/etc` leads to, else what `timezone` there says, else UTC.
    public static func deviceZoneName(etc: String = "/etc") -> String {
        if let target = destination(ofLinkAt: "\(etc)/localtime"), let root = target.ranges(of: "zoneinfo/").last {
            let name = String(target[root.upperBound...])
            if isZoneName(name) { return name }
        }
        let written: [UInt8]
        do {
            written = try contents(ofFileAt: "\(etc)/timezone", bytesMax: 200)
        } catch {
            // Most machines have no such file any more; one that cannot be read says as little.
            written = []
        }
        let name = String(decoding: written.prefix { $0 > 0x20 }, as: UTF8.self)
        return isZoneName(name) ? name : "UTC"
    }
}
