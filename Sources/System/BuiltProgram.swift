// Finds the other programs of this build.

import Glibc

/// Returns the path of a program in the directory of the running one, or nil if it is not there. After an
/// installation it may be elsewhere.
package func builtProgram(_ name: String) -> String? {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &bytes, bytes.count)
    let own = String(decoding: bytes.prefix(max(count, 0)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let path = own.lastIndex(of: "/").map { "\(own[..<$0])/\(name)" }
    return path.flatMap { access($0, X_OK) == 0 ? $0 : nil }
}
