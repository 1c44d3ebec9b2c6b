// The handler of the request at bedtime.

import API
import Engine
import Service
import Text

extension GoToBed: Mutation {
    func command(at service: isolated Service) -> (command: Command, problems: [Problem]) { (.inBed, []) }
}
