// The files of the page that browsers show.

import Glibc
import HTTP
import System
import Text

/// The files of a folder, read at the start. Later requests never reach the disk, so no path can lead out of the
/// folder.
struct PageFiles: Sendable {
    let table: StaticFiles
    /// The contents by the name of their file.
    private let contents: [String: [UInt8]]

    /// The media types by the ending of a file's name. No other file is served.
    private static let types = [
        "html": MediaType("text/html", charset: "utf-8"), "css": MediaType("text/css", charset: "utf-8"),
        "js": MediaType("text/javascript", charset: "utf-8"), "svg": MediaType("image/svg+xml"),
    ]
    private static let document = "index.html"
    /// The folder of the simulated bedside, which has a document of its own.
    static let bedside = "bedside"
    /// That folder, and the one for the modules of single screens.
    private static let folders = ["screens", bedside]
    private static let bytesMax = 1 << 20

    /// Reads the folder. A file `x.js.gz` beside `x.js` is its compressed form. A folder that is missing has
    /// no files.
    init(in folder: String) {
        var (files, contents): ([String: StaticFile], [String: [UInt8]]) = ([:], [:])
        let inner = PageFiles.folders.flatMap { inner in
            Folder.readableNames(in: "\(folder)/\(inner)").map { "\(inner)/\($0)" }
        }
        for name in Folder.readableNames(in: folder) + inner {
            guard let type = PageFiles.type(of: name), let bytes = PageFiles.read("\(folder)/\(name)") else { continue }
            contents[name] = bytes
            let compressed = "\(name).gz"
            contents[compressed] = PageFiles.read("\(folder)/\(compressed)")
            let path = name.hasSuffix(PageFiles.document) ? name.dropLast(PageFiles.document.count) : name[...]
            files["/\(path)"] = StaticFile(
                name, type: type, revision: String(FNV1a(bytes).value, radix: 16),
                gzipName: contents[compressed] == nil ? nil : compressed)
        }
        (table, self.contents) = (StaticFiles(files), contents)
    }

    /// Returns the response to a request for a file; nil for any other.
    func response(to request: HTTPRequest) -> HTTPResponse? {
        if let response = table.response(to: request) { return response }
        guard request.path.isEmpty, request.method.isSafe else { return nil }
        let text = "Rooster's page is not installed here. The API begins at /api/1\n"
        return HTTPResponse(.notFound, .bytes(Array(text.utf8)), type: MediaType("text/plain", charset: "utf-8"))
    }

    func content(_ name: String) -> [UInt8] { contents[name] ?? [] }

    private static func type(of name: String) -> MediaType? {
        guard !name.hasPrefix("."), let dot = name.lastIndex(of: ".") else { return nil }
        return types[String(name[name.index(after: dot)...])]
    }

    /// Returns the content of a file; nil if it cannot be read, is empty or is too long.
    private static func read(_ path: String) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            (1...bytesMax).contains(Int(status.st_size))
        else { return nil }
        let size = Int(status.st_size)
        let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, filled in
            while filled < size {
                let count = Glibc.read(descriptor, buffer.baseAddress?.advanced(by: filled), size - filled)
                guard count > 0 else { break }
                filled += count
            }
        }
        return bytes.count == size ? bytes : nil
    }
}
