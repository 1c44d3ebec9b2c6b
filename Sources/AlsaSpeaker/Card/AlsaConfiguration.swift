// ALSA configurations and ALSA's errors.

import CAlsa
import Sound

/// An ALSA configuration that replaces the system's. Tests use it to play without a card.
package final class AlsaConfiguration: Sendable {
    /// ALSA only reads it, and it is not changed after `init`.
    nonisolated(unsafe) let root: OpaquePointer

    package init(_ text: String) throws(AlsaError) {
        var root: OpaquePointer?
        var status = snd_config_top(&root)
        guard status >= 0, let root else { throw AlsaError("create a configuration", status) }
        var input: OpaquePointer?
        status = snd_input_buffer_open(&input, text, text.utf8.count)
        if status >= 0 {
            status = snd_config_load(root, input)
            snd_input_close(input)
        }
        guard status >= 0 else {
            snd_config_delete(root)
            throw AlsaError("read a configuration", status)
        }
        self.root = root
    }

    deinit {
        snd_config_delete(root)
    }
}

package struct AlsaError: Error, Hashable, Sendable, CustomStringConvertible {
    package let doing: String
    package let errorNumber: Int32

    /// `status` is ALSA's return value, the negative error number.
    init(_ doing: String, _ status: Int32) {
        self.doing = doing
        errorNumber = -status
    }

    package var description: String { "cannot \(doing): \(String(cString: snd_strerror(-errorNumber)))" }
}
