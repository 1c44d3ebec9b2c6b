// The mutator: it derives hostile inputs from good ones, the same for the same seed.

import Oracles

/// Changes an input in ways that break readers: bits, lengths, pieces of others, misplaced tokens.
struct Mutator {
    var random: SeededRandom
    let corpus: Corpus

    /// Returns the input after one to four changes.
    mutating func mutation(of bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...4, using: &random) { change(&bytes) }
        return bytes
    }

    private mutating func change(_ bytes: inout [UInt8]) {
        let place = Int.random(in: 0...bytes.count, using: &random)
        let end = min(bytes.count, place + Int.random(in: 1...16, using: &random))
        switch Int.random(in: 0..<7, using: &random) {
        case 0 where place < bytes.count: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 1 where place < bytes.count: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 2: bytes.removeLast(bytes.count - place)
        case 3: bytes.removeSubrange(place..<end)
        case 4: bytes.insert(contentsOf: bytes[place..<end], at: place)
        case 5: splice(&bytes, at: place)
        default: bytes.insert(contentsOf: corpus.tokens.randomElement(using: &random) ?? [], at: place)
        }
    }

    /// Replaces the rest with the end of another seed.
    private mutating func splice(_ bytes: inout [UInt8], at place: Int) {
        guard let other = corpus.seeds.randomElement(using: &random)?.bytes else { return }
        bytes.removeLast(bytes.count - place)
        bytes += other.suffix(Int.random(in: 0...other.count, using: &random))
    }
}
