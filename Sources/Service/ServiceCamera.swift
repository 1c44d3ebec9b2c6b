// The camera: its orders, its reports and its test.

import Alarms
import Devices
import Engine
import Text

extension Service {
    func orderCamera() {
        let order = camera.order
        guard order != orderedCamera else { return }
        // Old reports say nothing about the camera now.
        if orderedCamera == .off { cameraView = CameraView() }
        orderedCamera = order
        bedside.camera?.order(order)
    }

    /// The engine wants these symbologies read from now on, or none.
    func search(_ symbologies: Set<String>?) {
        if camera.search == nil { cameraView.inView = CodesInView() }
        camera.search = symbologies
        orderCamera()
    }

    /// The camera's view during a search; nil without one.
    package var sight: CameraView? { camera.search == nil ? nil : cameraView }

    /// Marks the codes of the last frame as wrong.
    func refuseCodes() { cameraView.inView.refuse(cameraView.frame?.codes ?? []) }

    func handle(_ report: CameraReport) {
        guard !isOver else { return }
        if let line = LogLine(report) { log(line) }
        switch report {
        case .opened(let name): cameraView.name = name
        case .frame(let frame): handleFrame(frame)
        case .preview(let picture): cameraView.preview = picture
        case .failed(let failure):
            (cameraView.failure, cameraView.frame, cameraView.preview) = (failure, nil, nil)
            reportCameraHealth()
        case .warning(let words): cameraView.warning = words
        case .camerasChanged: camerasChanged()
        }
    }

    /// Tests a camera that comes or goes. With a loose plug, or a camera that goes whenever it is opened, this is limited to a
    /// few times: the next preflight reports it.
    private func camerasChanged() {
        guard camera.order == .off, speaker.ring == nil else { return }
        let uptime = bedside.clock.reading.uptimeMilliseconds
        cameraChangeUptimes.removeAll { uptime - $0 > Service.cameraChangesMilliseconds }
        guard cameraChangeUptimes.count < Service.cameraChangesMax else { return }
        cameraChangeUptimes.append(uptime)
        startPreflight()
    }

    private static let cameraChangesMilliseconds = 600_000
    private static let cameraChangesMax = 3

    private func handleFrame(_ frame: CameraFrame) {
        guard camera.order != .off else { return }
        (cameraView.frame, cameraView.failure) = (frame, nil)
        reportCameraHealth()
        guard camera.search != nil else { return }
        let new = cameraView.inView.update(frame)
        if let first = new.first { log(LogLine(.info, words(first, others: new.count - 1))) }
        enqueue(
            .frame(
                frame.codes.compactMap { SeenCode($0, keys: codeKeys) }, isDark: frame.isDark,
                takenUptime: frame.takenUptime))
    }

    /// Words for codes that came into view: by label where they are enrolled, and never with their payload.
    private func words(_ code: ReadCode, others: Int) -> String {
        let seen = SeenCode(code, keys: codeKeys)
        let known = engine.codes.first { $0.kind == .qr && seen?.digests.contains($0.digest) == true }
        let name = known.map { "the code \($0.label.quoted)" }
        let more = others > 0 ? ", and \(others) more" : ""
        return "Before the camera: \(name ?? "an unknown \(code.symbology.name) code")\(more)"
    }

    /// Reports the camera's health during a search: without a camera the engine asks for sums instead.
    private func reportCameraHealth() {
        guard camera.search != nil, let health = cameraView.health, engine.health(of: .camera) != health else { return }
        enqueue(.health(.camera, health))
    }

    package func fingerprint(of payload: CodePayload) -> String? {
        codeKeys.first.flatMap { payload.digest(key: $0, kind: Challenge.Kind.qr.rawValue) }.map {
            CodeDigest($0).fingerprint
        }
    }

    var codeKeys: [[UInt8]] { engine.codeKeys.compactMap(\.bytes) }

    // MARK: previews

    /// The camera's view for a preview. The camera stays on while this is called again before a timeout.
    package func preview() -> CameraView {
        previewCount += 1
        guard bedside.camera != nil, !camera.isPreviewed else { return cameraView }
        camera.isPreviewed = true
        orderCamera()
        // One task waits for the timeout, however often this is called.
        task { service in
            var count = 0
            repeat {
                count = service.previewCount
                await service.executor.wait(milliseconds: Service.previewMilliseconds)
            } while count != service.previewCount && !service.isOver
            service.camera.isPreviewed = false
            let (health, known) = (service.cameraView.health, service.engine.health(of: .camera))
            service.orderCamera()
            // A new health that was seen in the preview starts a preflight.
            if known != nil, let health, health != known { service.startPreflight() }
        }
        return cameraView
    }

    /// The timeout of a preview: a client that shows it asks again before.
    private static let previewMilliseconds = 3000

    /// The name of the last camera that was on; nil where none was.
    package var cameraName: String? { cameraView.name }

    // MARK: trying it out

    /// Begins the camera's test, unless a search uses it already.
    func beginCameraTest() {
        guard bedside.camera != nil, camera.search == nil else { return }
        camera.isTested = true
        orderCamera()
    }

    var isTestingCamera: Bool { camera.isTested && cameraView.health == nil }

    /// Ends the camera's test and returns its health; nil where it does not matter: no code is enrolled, and no camera is
    /// plugged in.
    func endCameraTest() -> Health? {
        guard camera.isTested else { return nil }
        camera.isTested = false
        defer { orderCamera() }
        let failure =
            cameraView.frame == nil ? cameraView.failure ?? .silent(node: cameraView.name ?? "the camera") : nil
        guard let failure else { return cameraView.health }
        if engine.codes.contains(where: { $0.kind == .qr }) { return Health(.cameraBroken(reason: "\(failure)")) }
        // A camera that never was there is not missed.
        if failure == .none, engine.health(of: .camera) == nil { return nil }
        return Health(.camera("The camera gives no pictures: \(failure)"))
    }
}

extension SeenCode {
    /// A code as the camera has read it; nil where it is blank.
    fileprivate init?(_ code: ReadCode, keys: [[UInt8]]) {
        guard let payload = CodePayload(code.payload) else { return nil }
        self.init(
            digests: keys.compactMap { payload.digest(key: $0, kind: Challenge.Kind.qr.rawValue) }.map(CodeDigest.init),
            symbology: code.symbology.rawValue, byteCount: payload.bytes.count)
    }
}

extension LogLine {
    fileprivate init?(_ report: CameraReport) {
        switch report {
        case .opened(let name): self.init(.debug, "The camera is on: \(name)")
        case .failed(let failure): self.init(.warning, "The camera: \(failure)")
        case .warning(let words): self.init(.warning, "The camera: \(words)")
        case .frame, .preview, .camerasChanged: return nil
        }
    }
}
