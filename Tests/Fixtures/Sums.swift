// The solver for sums of the first level.

/// Sums of two numbers, with their results.
package enum Sums {
    package static func result(of text: String) -> Int {
        let parts = text.split(separator: " ")
        guard parts.count == 3, let a = Int(parts[0]), let b = Int(parts[2]) else { return 0 }
        return parts[1] == "+" ? a + b : a - b
    }
}
