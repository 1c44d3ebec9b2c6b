// The alarm that shows, when every fault is over, that all is well again.

import Alarms
import CivilTime

extension Alarm {
    /// An alarm that rings then, in a zone of that name; nothing where the clocks show that time twice.
    init?(probingAt instant: Instant, in zoneName: String) {
        guard let zone = SimulatedZones.all.first(where: { $0.name == zoneName }) else { return nil }
        let local = zone.local(instant)
        guard case .once = zone.instants(of: local) else { return nil }
        self.init(id: "probe")
        (time, recurrence) = (local.time, Recurrence(.daily))
    }
}
