// What each step costs on this machine, so that none is begun that would not end in time.

/// Milliseconds of each step, learnt from the frames before and from what the same frame has cost until now.
struct StepCosts {
    private var measured: [ReadingStep: Double] = [:]
    private var points = 0
    /// What zbar took for the frame as it is: the more edges a frame has, the longer, whatever is done to it.
    private var plainZbar: Double?

    /// Before the first step of a frame. Costs of pictures of another size tell nothing.
    mutating func begin(points: Int) {
        if points != self.points { measured = [:] }
        (self.points, plainZbar) = (points, nil)
    }

    /// What a step will probably take at most.
    func milliseconds(_ step: ReadingStep) -> Double {
        let unit = measured[.plainZxing] ?? 0
        let learnt = measured[step] ?? unit * step.expectedCost
        guard step.decoder == .zbar, let plainZbar else { return learnt }
        return max(learnt, plainZbar * step.expectedCost / ReadingStep.plainZbar.expectedCost)
    }

    /// Costs grow at once, for a crowded picture may be followed by another, and shrink slowly.
    mutating func note(_ step: ReadingStep, milliseconds: Double) {
        measured[step] = max(milliseconds, 0.9 * (measured[step] ?? 0) + 0.1 * milliseconds)
        if step == .plainZbar { plainZbar = milliseconds }
    }
}
