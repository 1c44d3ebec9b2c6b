// Zones that are the same on every machine, whatever its tzdata says.

import CivilTime

/// The zones that a simulated house can be in: both hemispheres, half an hour of daylight time, none at all.
enum SimulatedZones {
    static let all: [Zone] = [
        Zone(name: "Europe/Berlin", rule: "CET-1CEST,M3.5.0,M10.5.0/3"),
        Zone(name: "America/New_York", rule: "EST5EDT,M3.2.0,M11.1.0"),
        Zone(name: "Australia/Lord_Howe", rule: "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0"),
        Zone(name: "America/Santiago", rule: "<-04>4<-03>,M9.1.6/24,M4.1.6/24"),
        Zone(name: "Asia/Tokyo", rule: "JST-9"),
    ].compactMap(\.self)
}
