// A credential that no log, error or debugger output can show.

/// A token as a client sent it. Its description and its mirror are empty of it.
package struct Secret: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    /// The token itself, for the one caller that checks or sends it.
    package let revealed: String

    package init(_ text: String) { revealed = text }

    package var description: String { "(secret)" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// The credential of a request, and the way by which it came.
package enum Credential: Hashable, Sendable {
    /// From a script: `Authorization: Bearer …`.
    case bearer(Secret)
    /// From a browser, which also sends it on behalf of other sites.
    case cookie(Secret)
}
