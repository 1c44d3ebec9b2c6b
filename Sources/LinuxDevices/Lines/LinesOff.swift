// Puts out whatever a Rooster that was killed has left on.

import Devices

/// Sets each of these lines off and lets go of it; answers with those for which that cannot be done, and why.
///
/// Some kernels, those of Raspberry Pi OS among them, keep a line driven when the process that drove it is gone: a buzzer would
/// sound until the machine is switched off.
package func switchOff(_ outputs: [LineOutput]) -> [LineFailure] {
    outputs.compactMap { output in
        do throws(LineFailure) {
            // It is off as soon as it is an output.
            _ = try GpioLine(output)
            return nil
        } catch {
            return error
        }
    }
}
