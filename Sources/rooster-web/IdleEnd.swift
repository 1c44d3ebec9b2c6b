// The end of the program without clients.

import EventLoop
import Glibc
import Synchronization

/// Ends the program some minutes after the last client has gone, so that it takes no memory at night. systemd
/// starts it again for the next client.
final class IdleEnd: Sendable {
    private let timer: Mutex<LoopTimer?>

    private static let milliseconds = 5 * 60_000

    /// `isUsed`: false if nothing would start the program again.
    init(on loop: EventLoop, isUsed: Bool) {
        timer = Mutex(isUsed ? try? LoopTimer(on: loop) { kill(getpid(), SIGTERM) } : nil)
        isOccupied(false)
    }

    func isOccupied(_ isOccupied: Bool) {
        let end = isOccupied ? nil : EventLoop.uptimeMilliseconds + IdleEnd.milliseconds
        timer.withLock { $0?.set(uptimeMilliseconds: end) }
    }
}
