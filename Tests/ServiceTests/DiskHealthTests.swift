// What is said of a disk that hangs.

import Engine
import Household
import Oracles
import Service
import Testing

@Suite(.timeLimit(.minutes(2))) struct DiskHealthTests {
    private func disk(_ home: Household) async -> Health? {
        await home.service.engine.status().health.first { $0.part == .disk }?.health
    }

    /// A check that has an end does not wait for the answer to it: that comes when somebody checks again.
    @Test func answerToTheCheckBefore_isNoAnswerToThisOne() async throws {
        let scratch = try Scratch()
        let home = try Household(directory: scratch.path)
        await home.start()
        home.speaker.status.isReady = true
        while await home.service.engine.status().unkeptCount > 0 { await Task.yield() }
        home.syncs.hold()
        await home.service.triedOut()
        let hanging = await disk(home)
        #expect(hanging?.grade == .broken && hanging?.words.contains("does not answer") == true)
        home.syncs.letOneThrough()
        await home.service.triedOut()
        #expect(await disk(home) == hanging)
        home.syncs.open()
        await home.service.triedOut()
        #expect(await disk(home) == .ok)
        await home.end()
    }
}
