// Which of the machine's nodes is the camera.

import CVideo
import Devices
import Glibc
import System

struct CameraSearch {
    /// What its owner calls it; nothing for the first there is.
    var wanted: String?
    var powerLine = PowerLine.untouched
    /// Where the nodes are, and the names that udev gives them.
    var nodes = "/dev"
    var names = "/dev/v4l"

    /// The sensors of a Raspberry Pi's own cameras: what they give is no picture yet. Its decoders and scalers have nodes too, and
    /// are no cameras.
    static let rawDrivers: Set<String> = ["unicam", "rp1-cfe"]
    static let notCameras: Set<String> = ["bcm2835-isp", "bcm2835-codec", "pispbe", "rpivid", "rpi-hevc-dec"]

    private struct Candidate {
        var node: VideoNode
        /// By udev: by what it is, then by where it is plugged in.
        var names: [String]

        var name: String { names.first ?? node.node }

        func isCalled(_ wanted: String) -> Bool { ([node.node, node.card] + names).contains(wanted) }

        func isCalledLike(_ wanted: String) -> Bool {
            ([node.card] + names).contains { $0.lowercased().contains(wanted.lowercased()) }
        }
    }

    /// The camera, open and streaming. Of several the first that can be used is taken: those that udev has a name for first.
    /// `step` is called between what may take a while.
    func open(step: () -> Void) throws(CameraFailure) -> VideoCapture {
        var failure: CameraFailure?
        for candidate in try candidates(&failure) {
            if CameraSearch.rawDrivers.contains(candidate.node.driver) || candidate.node.isPartOfPipeline {
                failure = failure ?? .needsLibcamera(node: candidate.node.node)
                continue
            }
            do throws(CameraFailure) {
                return try VideoCapture(candidate.node, name: candidate.name, powerLine: powerLine, step: step)
            } catch {
                failure = error
            }
        }
        throw failure ?? wanted.map { .missing(wanted: $0) } ?? CameraFailure.none
    }

    private func candidates(_ failure: inout CameraFailure?) throws(CameraFailure) -> [Candidate] {
        let (byID, byPath) = (links("\(names)/by-id"), links("\(names)/by-path"))
        var candidates: [Candidate] = []
        for number in numbers() {
            let path = "\(nodes)/video\(number)"
            do throws(VideoError) {
                let node = try VideoNode(path)
                guard node.isCapture, !CameraSearch.notCameras.contains(node.driver) else { continue }
                candidates.append(
                    Candidate(node: node, names: [byID["video\(number)"], byPath["video\(number)"]].compactMap(\.self)))
            } catch {
                // A camera that nobody may look at is said only where there is no other.
                failure = failure ?? CameraFailure(opening: error, node: path)
            }
        }
        if let wanted {
            let exact = candidates.filter { $0.isCalled(wanted) }
            candidates = exact.isEmpty ? candidates.filter { $0.isCalledLike(wanted) } : exact
            // What cannot be opened may be the one that is wanted, or not.
            if candidates.isEmpty, failure.map({ $0.isOf(wanted) }) != true { failure = nil }
        }
        return candidates.filter { !$0.names.isEmpty } + candidates.filter(\.names.isEmpty)
    }

    private func numbers() -> [Int] {
        Folder.readableNames(in: nodes).compactMap { $0.hasPrefix("video") ? Int($0.dropFirst(5)) : nil }.sorted()
    }

    private func links(_ folder: String) -> [String: String] {
        var links: [String: String] = [:]
        for name in Folder.readableNames(in: folder) {
            var target = [CChar](repeating: 0, count: 256)
            let count = readlink("\(folder)/\(name)", &target, target.count)
            guard count > 0, count < target.count else { continue }
            let path = String(decoding: target.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
            if let node = path.split(separator: "/").last, links[String(node)] == nil { links[String(node)] = name }
        }
        return links
    }
}

extension CameraFailure {
    fileprivate func isOf(_ wanted: String) -> Bool {
        switch self {
        case .noAccess(let node, _), .busy(let node), .unplugged(let node): node == wanted
        default: false
        }
    }
}
