// The tests of the group that may use the socket beside the service's own user.

import ControlServer
import Fixtures
import Glibc
import Oracles
import Service
import Synchronization
import Testing

@Suite struct SocketGroupTests {
    private func problems(withGroup group: String) async throws -> [String] {
        let said = Mutex<[String]>([])
        try await withService { base in
            let path = "\(base.directory)/s"
            let socket = try ControlSocket(at: path, group: group, to: base.service, on: base.loop) { line in
                said.withLock { $0.append(line.text) }
            }
            await socket.close()
        }
        return said.withLock { $0 }
    }

    @Test func existingGroup_mayUseTheSocket() async throws {
        // The test user can give its files to its own group without root.
        let own = try #require(getgrgid(getegid())).pointee.gr_name
        #expect(try await problems(withGroup: String(cString: try #require(own))) == [])
    }

    @Test func missingGroup_isReported() async throws {
        let said = try await problems(withGroup: "no such group")
        #expect(said.count == 1)
        #expect(said.first?.hasPrefix("There is no group no such group in /etc/group") == true, "\(said)")
    }
}
