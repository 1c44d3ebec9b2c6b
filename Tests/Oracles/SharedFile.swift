// The memory that a test shares with another program, or with a plug-in in its own process.

import Foundation

/// Creates a file of zeros for one value and maps it, so that both sides access it in place. The mapping
/// stays until the process ends.
public func sharedFile<Value>(of type: Value.Type, at path: String) throws -> UnsafeMutablePointer<Value> {
    let bytes = MemoryLayout<Value>.size
    try Data(count: bytes).write(to: URL(fileURLWithPath: path))
    let descriptor = open(path, O_RDWR)
    defer { close(descriptor) }
    guard let memory = mmap(nil, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0), memory != MAP_FAILED else {
        throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
    }
    return memory.bindMemory(to: type, capacity: 1)
}
