// The files of the page. A path is looked up in a table and never reaches the disk.

package struct StaticFile: Hashable, Sendable {
    /// The name by which the transport finds the content.
    package let name: String
    package let type: MediaType
    /// A hash of the content.
    package let revision: String
    /// The name of the content that was compressed with gzip at installation.
    package let gzipName: String?
    /// True if the path contains a hash, so that the content behind it never changes.
    package let isForever: Bool

    package init(_ name: String, type: MediaType, revision: String, gzipName: String? = nil, isForever: Bool = false) {
        self.name = name
        self.type = type
        self.revision = revision
        self.gzipName = gzipName
        self.isForever = isForever
    }
}

/// The table of files by path.
package struct StaticFiles: Sendable {
    private let files: [[String]: StaticFile]

    /// Creates the table. Its keys are decoded paths such as `/app.js`.
    package init(_ files: [String: StaticFile]) {
        let pairs = files.map { path, file in (path.split(separator: "/").map(String.init), file) }
        self.files = Dictionary(pairs) { first, _ in first }
    }

    /// Returns the response to a request, or nil if no file has its path.
    package func response(to request: HTTPRequest) -> HTTPResponse? {
        guard let file = files[request.path] else { return nil }
        guard request.method.isSafe else {
            let problem = ProblemDocument(.methodNotAllowed, "methodNotAllowed", "A file can only be read")
            return .problem(problem).adding("Allow", "GET, HEAD")
        }
        let compressed = request.encodings.contains(.gzip) ? file.gzipName : nil
        // Both forms have a strong tag, so the tags must differ.
        let tag = ETag(revision: compressed == nil ? file.revision : "\(file.revision).gz")
        let cache: HTTPResponse.CachePolicy = file.isForever ? .forever : .revalidated
        guard request.ifNoneMatch?.isSatisfied(by: tag) != true else {
            return .notModified(tag, policy: .page, cache: cache).adding("Vary", "Accept-Encoding")
        }
        var response = HTTPResponse(
            .ok, .file(compressed ?? file.name), type: file.type, policy: .page, cache: cache)
        response.add("ETag", tag.description)
        response.add("Vary", "Accept-Encoding")
        if compressed != nil { response.add("Content-Encoding", "gzip") }
        return response
    }
}
