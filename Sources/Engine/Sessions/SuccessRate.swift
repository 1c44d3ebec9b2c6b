// How often what rang has got its owner up.

extension Collection<PastRing> {
    /// How many of those that rang were dismissed by their challenges, from 0 to 1; nothing where none has rung.
    ///
    /// What was missed has not rung, and tests do not count. A session without challenges has rung, and nothing but its
    /// challenges shows that somebody got up: whoever stopped it may sleep on, so it is no success. One that ended with
    /// another's challenges, for they were the same, is one.
    public var successRate: Double? {
        let fired = compactMap { ring in ring.session.map { (session: $0, ending: ring.ending) } }.filter {
            !$0.session.terms.isTest
        }
        guard !fired.isEmpty else { return nil }
        let successCount = fired.count { $0.ending == .dismissed && !$0.session.terms.challenges.isEmpty }
        return Double(successCount) / Double(fired.count)
    }
}
