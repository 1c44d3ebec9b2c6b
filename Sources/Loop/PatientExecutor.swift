// Where somebody lives who has to wait now and then.

/// An executor whose jobs can wait without another thread that wakes for it: while nothing happens, nobody does.
public protocol TimedExecutor: SerialExecutor, TaskExecutor {
    /// Lets others have their turn for so long.
    func wait(milliseconds: Int) async
}
