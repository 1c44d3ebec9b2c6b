// Rooster's programs, which were built beside each other.

import Glibc

/// Where another of them is, if it is beside the one that runs: an installed one may be elsewhere.
package func builtProgram(_ name: String) -> String? {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &bytes, bytes.count)
    let own = String(decoding: bytes.prefix(max(count, 0)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let path = own.lastIndex(of: "/").map { "\(own[..<$0])/\(name)" }
    return path.flatMap { access($0, X_OK) == 0 ? $0 : nil }
}
