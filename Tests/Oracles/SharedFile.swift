// What a test shares with another program, or with a plug-in that is loaded into this one.

import Foundation

/// Makes a file of zeros that holds one value, and maps it: both sides read and write it in place. It is never unmapped here.
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
