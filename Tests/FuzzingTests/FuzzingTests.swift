// The tests that fuzz a little in every run, also without libFuzzer. `scripts/fuzz` does the rest.

import Fuzzing
import Oracles
import Testing

@Suite struct FuzzingTests {
    @Test(arguments: Target.allCases)
    func corpus_keepsEveryPromise(target: Target) throws {
        let seeds = try Corpus(of: target).seeds
        #expect(!seeds.isEmpty)
        for seed in seeds {
            #expect(throws: Never.self, "\(seed.name)") { try target.run(seed.bytes) }
        }
    }

    @Test(arguments: Target.allCases)
    func mutations_keepEveryPromise(target: Target) throws {
        let corpus = try Corpus(of: target)
        var mutator = Mutator(random: SeededRandom(seed: 11), corpus: corpus)
        for _ in 0..<Thoroughness.pick(rounds(target), full: 300 * rounds(target)) {
            for seed in corpus.seeds {
                let bytes = mutator.mutation(of: seed.bytes)
                let shown =
                    "\(seed.name) became \(String(decoding: bytes.prefix(4000), as: UTF8.self).debugDescription)"
                #expect(throws: Never.self, "\(shown)") { try target.run(bytes) }
            }
        }
    }

    /// The number of rounds. Each target takes a few seconds in a debug build.
    func rounds(_ target: Target) -> Int {
        switch target {
        case .alarmsFile: 60
        case .recurrence: 100
        case .zone: 40
        case .journal: 40
        case .helperMessage: 400
        case .picture: 20
        case .request: 60
        case .httpRequest: 200
        }
    }
}
