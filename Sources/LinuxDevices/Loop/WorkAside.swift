// Work that takes a while, beside a loop on which nobody may wait for it.

extension EventLoop {
    /// Works something out on a thread of its own, and goes on with it on the loop.
    public func workAside<Value: Sendable>(
        _ work: @escaping @Sendable () -> Value, then: @escaping @Sendable (Value) -> Void
    ) {
        let failure = runThread(named: "aside") { [self] in goOn(with: work(), then) }
        // Without another thread it takes a moment here.
        if failure != 0 { goOn(with: work(), then) }
    }

    private func goOn<Value: Sendable>(with value: Value, _ then: @escaping @Sendable (Value) -> Void) {
        Task(executorPreference: self) { then(value) }
    }
}
