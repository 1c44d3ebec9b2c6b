// The tests of the checks themselves: each planted defect must be caught.

import Testing

@Suite struct PlantedDefectTests {
    /// Returns the check that catches a defect, and its message.
    func catches(_ defect: PlantedDefect) -> (check: String, text: String)? {
        let checks: [(name: String, run: () throws -> Void)] = [
            (
                "cuts",
                {
                    let check = CrashCheck(cuts: Cuts(tearBytes: 61), wrap: { DefectiveDisk($0, defect) })
                    for history in [History.scripted, .uniform] { _ = try check.run(history) }
                }
            ),
            (
                "faults",
                {
                    var check = FaultCheck(wrap: { DefectiveDisk($0, defect) })
                    try check.run(.uniform)
                }
            ),
            (
                "flipped bits",
                {
                    var check = try FlipCheck(wrap: { DefectiveDisk($0, defect) })
                    try check.run()
                }
            ),
        ]
        for check in checks {
            do { try check.run() } catch { return (check.name, "\(error)") }
        }
        return nil
    }

    @Test(arguments: PlantedDefect.allCases)
    func plantedDefect_isCaught(defect: PlantedDefect) throws {
        let caught = try #require(catches(defect), "nobody noticed \(defect)")
        print("\(defect): caught by \(caught.check): \(caught.text.prefix(300))")
    }
}
