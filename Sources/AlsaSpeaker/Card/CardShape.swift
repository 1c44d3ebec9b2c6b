// The negotiation of a card's parameters: format, channels, rate, period and buffer.

import CAlsa
import Glibc
import Sound

enum CardShape {
    /// The wanted period and buffer in microseconds.
    private static let period: UInt32 = 10_000
    private static let buffer: UInt32 = 120_000

    /// ALSA's names of the formats, the most precise first.
    private static let formats: [(snd_pcm_format_t, FrameFormat.Sample)] = [
        (SND_PCM_FORMAT_S32_LE, .s32), (SND_PCM_FORMAT_FLOAT_LE, .float32), (SND_PCM_FORMAT_S24_LE, .s24),
        (SND_PCM_FORMAT_S24_3LE, .s24packed), (SND_PCM_FORMAT_S16_LE, .s16),
    ]

    static func chosen(
        for pcm: OpaquePointer
    ) throws(RouteFailure) -> (format: FrameFormat, periodFrames: Int, bufferFrames: Int) {
        var parameters: OpaquePointer?
        guard snd_pcm_hw_params_malloc(&parameters) >= 0, let parameters else {
            throw .system(.configure, errorNumber: ENOMEM)
        }
        defer { snd_pcm_hw_params_free(parameters) }
        try check(snd_pcm_hw_params_any(pcm, parameters))
        // Sounds are rendered at the card's own rate, so ALSA must not resample.
        try check(snd_pcm_hw_params_set_rate_resample(pcm, parameters, 0))
        try check(snd_pcm_hw_params_set_access(pcm, parameters, SND_PCM_ACCESS_RW_INTERLEAVED))
        guard let sample = formats.first(where: { snd_pcm_hw_params_test_format(pcm, parameters, $0.0) == 0 }) else {
            throw .unplayable("supports no format that Rooster can play")
        }
        try check(snd_pcm_hw_params_set_format(pcm, parameters, sample.0))
        var channels: UInt32 = 2
        try check(snd_pcm_hw_params_set_channels_near(pcm, parameters, &channels))
        var rate: UInt32 = 48_000
        try check(snd_pcm_hw_params_set_rate_near(pcm, parameters, &rate, nil))
        var (period, buffer) = (period, buffer)
        try check(snd_pcm_hw_params_set_period_time_near(pcm, parameters, &period, nil))
        try check(snd_pcm_hw_params_set_buffer_time_near(pcm, parameters, &buffer, nil))
        try check(snd_pcm_hw_params(pcm, parameters))
        var (periodFrames, bufferFrames): (snd_pcm_uframes_t, snd_pcm_uframes_t) = (0, 0)
        try check(snd_pcm_hw_params_get_period_size(parameters, &periodFrames, nil))
        try check(snd_pcm_hw_params_get_buffer_size(parameters, &bufferFrames))
        try startWhenTold(pcm, bufferFrames)
        guard periodFrames > 0, bufferFrames > periodFrames, (4000...384_000).contains(rate), channels <= 64 else {
            throw .unplayable("offers only \(rate) Hz, \(channels) channels and a buffer of \(bufferFrames) frames")
        }
        let format = FrameFormat(sample.1, channels: Int(channels), rate: Int(rate))
        return (format, Int(periodFrames), Int(bufferFrames))
    }

    private static func startWhenTold(_ pcm: OpaquePointer, _ bufferFrames: snd_pcm_uframes_t) throws(RouteFailure) {
        var parameters: OpaquePointer?
        guard snd_pcm_sw_params_malloc(&parameters) >= 0, let parameters else {
            throw .system(.configure, errorNumber: ENOMEM)
        }
        defer { snd_pcm_sw_params_free(parameters) }
        try check(snd_pcm_sw_params_current(pcm, parameters))
        try check(snd_pcm_sw_params_set_start_threshold(pcm, parameters, bufferFrames * 2))
        try check(snd_pcm_sw_params(pcm, parameters))
    }

    private static func check(_ status: Int32) throws(RouteFailure) {
        guard status >= 0 else { throw .system(.configure, errorNumber: -status) }
    }
}
