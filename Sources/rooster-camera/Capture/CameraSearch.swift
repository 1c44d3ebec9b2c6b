// The search for the node of the camera.

import CVideo
import Devices
import Glibc
import System

struct CameraSearch {
    /// The wanted camera's name or node; nil for the first one found.
    var wanted: String?
    var powerLine = PowerLine.untouched
    /// The folders of the nodes and of their udev links.
    var nodes = "/dev"
    var names = "/dev/v4l"

    /// Drivers of a Raspberry Pi's sensors, whose raw data only libcamera can process; then drivers of its
    /// decoders and scalers, whose nodes are not cameras.
    static let rawDrivers: Set<String> = ["unicam", "rp1-cfe"]
    static let notCameras: Set<String> = ["bcm2835-isp", "bcm2835-codec", "pispbe", "rpivid", "rpi-hevc-dec"]

    private struct Candidate {
        var node: VideoNode
        /// The udev links: by ID, then by path.
        var names: [String]

        var name: String { names.first ?? node.node }

        func isCalled(_ wanted: String) -> Bool { ([node.node, node.card] + names).contains(wanted) }

        func isCalledLike(_ wanted: String) -> Bool {
            ([node.card] + names).contains { $0.lowercased().contains(wanted.lowercased()) }
        }
    }

    /// Opens the first usable camera and starts its stream. Those with a udev link are tried first. `step`
    /// is called between slow steps.
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
                // A camera without access is reported only if there is no other.
                failure = failure ?? CameraFailure(opening: error, node: path)
            }
        }
        if let wanted {
            let exact = candidates.filter { $0.isCalled(wanted) }
            candidates = exact.isEmpty ? candidates.filter { $0.isCalledLike(wanted) } : exact
            // The failure is kept only if it concerns the wanted camera.
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
