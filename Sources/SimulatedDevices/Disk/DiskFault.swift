// What a simulated disk can be told to do wrong.

import Glibc
import Journal

package struct DiskFault: Hashable, Sendable {
    package enum Kind: Hashable, Sendable, CaseIterable {
        /// `ENOSPC`: whatever needs room fails.
        case full
        /// `EIO`: anything fails.
        case broken
        /// `EIO`: whatever changes the disk fails, as on flash that is worn out.
        case worn
        /// `EROFS`: whatever changes the disk fails.
        case readOnly
        /// Writes take only some of their bytes.
        case short
    }

    package var kind: Kind
    /// How many operations that could fail in this way still succeed.
    package var after: Int
    /// How many then fail.
    package var count: Int

    /// A failure after so many operations: of one, of several, or of all that come (`.max`).
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
