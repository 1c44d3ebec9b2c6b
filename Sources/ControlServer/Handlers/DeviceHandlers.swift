// The handlers of requests about the device: its status, its health and its capabilities.

import API
import Alarms
import CivilTime
import Engine
import Service
import Sound
import Text

extension GetStatus: RequestHandler {
    func handle(_ context: HandlerContext, at service: isolated Service, then send: @escaping Completion<Response>) {
        send(.success(SuccessResponse(Response(status: service.statusReport))))
    }
}

extension Doctor: RequestHandler {
    func handle(_ context: HandlerContext, at service: isolated Service, then send: @escaping Completion<Response>) {
        let buzzer = loud ?? false ? service.bedside.speaker.status.hasBuzzer : nil
        if loud ?? false { service.soundBuzzer() }
        service.runPreflight { service in
            send(.success(SuccessResponse(Response(health: service.doctorReport, buzzer: buzzer))))
        }
    }
}

extension TrySpeakers: RequestHandler {
    func handle(_ context: HandlerContext, at service: isolated Service, then send: @escaping Completion<Response>) {
        service.trySpeakers { status, _ in send(.success(SuccessResponse(SpeakersReport(status)))) }
    }
}

extension GetCapabilities: RequestHandler {
    func handle(_ context: HandlerContext, at service: isolated Service, then send: @escaping Completion<Response>) {
        let hardware = service.hardware
        var response = Response()
        response.simulated = service.bedside.isSimulated
        response.challenges = Challenge.Kind.allCases.filter(hardware.kinds.contains)
        response.enrol = CodeKind.allCases.filter { hardware.kinds.contains($0.challenge) }
        if response.enrol.contains(.qr) { response.symbologies = hardware.symbologies.map(\.rawValue).sorted() }
        response.buttons = hardware.hasButtons
        response.shaker = hardware.hasShaker
        response.sunrise = service.bedside.sunrise != nil
        response.alarmsMax = Engine.alarmsMax
        response.calendarsMax = Engine.calendarsMax
        response.snoozeSecondsMin = service.engine.settings.snoozeBounds.lowerBound
        response.snoozeSecondsMax = service.engine.settings.snoozeBounds.upperBound
        response.testRingSecondsMax = Engine.testSecondsMax
        send(.success(SuccessResponse(response)))
    }
}

extension GetBedside: RequestHandler {
    func handle(_ context: HandlerContext, at service: isolated Service, then send: @escaping Completion<Response>) {
        guard let simulation = context.simulation else { return send(.failure(.notSimulated)) }
        var report = simulation.report(in: service.engine.zone)
        let sound = SpeakersReport(service.bedside.speaker.status)
        (report.output, report.decibels) = (sound.output, sound.decibels)
        send(.success(SuccessResponse(report)))
    }
}

extension SimulateBedside: RequestHandler {
    func handle(_ context: HandlerContext, at service: isolated Service, then send: @escaping Completion<EmptyResponse>)
    {
        guard let simulation = context.simulation else { return send(.failure(.notSimulated)) }
        simulation.apply(self, in: service.engine.zone) { reason in
            send(reason.map { .failure(.malformed($0)) } ?? .success(SuccessResponse(EmptyResponse())))
        }
    }
}

extension ErrorResponse {
    fileprivate static let notSimulated = ErrorResponse(
        .notSimulated, "The devices of this service are real, not simulated")
}
