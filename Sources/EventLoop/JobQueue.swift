// The queue of jobs for a loop's thread.

/// Jobs in the order of their arrival. The queue has no bound, because an executor cannot refuse a job.
struct JobQueue {
    /// The next action of the thread.
    enum Turn {
        /// There are jobs: read the ready descriptors without waiting.
        case poll
        /// There are no jobs: wait for descriptors. A new job has to wake the thread.
        case wait
        /// There are jobs, and the loop ends: run them, and ignore descriptors.
        case finish
        case end
    }

    private var jobs: [UnownedJob] = []
    private var taken = 0
    private var isWaiting = false
    private var isEnding = false

    /// The capacity that an empty queue keeps.
    private static let keptMax = 4096

    var count: Int { jobs.count - taken }

    /// Adds a job. Returns true if the thread must be woken.
    mutating func add(_ job: UnownedJob) -> Bool {
        jobs.append(job)
        return wake()
    }

    /// Begins the end of the loop. Returns true if the thread must be woken.
    mutating func end() -> Bool {
        isEnding = true
        return wake()
    }

    mutating func next() -> UnownedJob? {
        guard taken < jobs.count else { return nil }
        let job = jobs[taken]
        taken += 1
        if taken == jobs.count {
            jobs.removeAll(keepingCapacity: jobs.capacity <= JobQueue.keptMax)
            taken = 0
        } else if taken >= JobQueue.keptMax, taken > jobs.count / 2 {
            // A queue that is never empty must not grow for ever.
            jobs.removeFirst(taken)
            taken = 0
        }
        return job
    }

    mutating func turn() -> Turn {
        if jobs.isEmpty {
            isWaiting = !isEnding
            return isEnding ? .end : .wait
        }
        return isEnding ? .finish : .poll
    }

    private mutating func wake() -> Bool {
        defer { isWaiting = false }
        return isWaiting
    }
}
