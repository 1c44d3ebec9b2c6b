// The jobs that wait for a loop's thread.

/// Jobs in the order in which they came, without a bound: the language's concurrency has no word for a refusal.
struct JobQueue {
    /// What its thread does next.
    enum Turn {
        /// It has jobs: it looks at its descriptors without waiting for them.
        case poll
        /// It has none: it waits for its descriptors, and is to be woken for a job.
        case wait
        /// It has jobs, and will end: descriptors matter no more.
        case finish
        case end
    }

    private var jobs: [UnownedJob] = []
    private var taken = 0
    private var isWaiting = false
    private var isEnding = false

    /// Room for so many jobs is kept while there are none.
    private static let keptMax = 4096

    var count: Int { jobs.count - taken }

    /// Whether the thread has to be woken.
    mutating func add(_ job: UnownedJob) -> Bool {
        jobs.append(job)
        return wake()
    }

    /// Whether the thread has to be woken.
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
