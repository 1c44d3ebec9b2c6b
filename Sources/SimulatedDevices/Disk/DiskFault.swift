// The faults of a simulated disk.

import Glibc
import Journal

package struct DiskFault: Hashable, Sendable {
    package enum Kind: Hashable, Sendable, CaseIterable {
        /// `ENOSPC`: every operation that needs space fails.
        case full
        /// `EIO`: every operation fails.
        case broken
        /// `EIO`: every operation that changes the disk fails, as on worn-out flash.
        case worn
        /// `EROFS`: every operation that changes the disk fails.
        case readOnly
        /// A write stores only some of its bytes.
        case short
    }

    package var kind: Kind
    /// The number of affected operations that still succeed.
    package var after: Int
    /// The number of affected operations that then fail.
    package var count: Int

    /// Creates a fault after this many operations. If `count` is `.max`, all later ones fail.
    package init(_ kind: Kind, after: Int, count: Int) {
        (self.kind, self.after, self.count) = (kind, after, count)
    }
}

extension DiskFault.Kind {
    func concerns(_ operation: DiskError.Operation) -> Bool {
        switch (self, operation) {
        case (_, .lock): false
        case (.broken, _): true
        case (_, .write): true
        case (.full, .create), (.full, .rename), (.full, .sync): true
        case (.worn, .create), (.worn, .rename), (.worn, .remove), (.worn, .sync): true
        case (.readOnly, .create), (.readOnly, .rename), (.readOnly, .remove): true
        case (.full, _), (.worn, _), (.readOnly, _), (.short, _): false
        }
    }

    var errorNumber: Int32 {
        switch self {
        case .full, .short: ENOSPC
        case .broken, .worn: EIO
        case .readOnly: EROFS
        }
    }
}
