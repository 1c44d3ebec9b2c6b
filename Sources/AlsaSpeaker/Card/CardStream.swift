// An open card that consumes frames, and the only owner of ALSA's PCM handle.

import CAlsa
import Glibc
import Sound

enum PCMError: Error {
    /// The card ran out of frames and stopped.
    case underrun
    /// The machine was suspended.
    case suspended
    case failed(RouteFailure)
}

/// A card that is open for playback without blocking writes. It is closed when the object is released.
final class CardStream {
    private let pcm: OpaquePointer
    let format: FrameFormat
    let periodFrames: Int
    let bufferFrames: Int

    /// Opens a device. The call may take long, or never return.
    init(_ device: String, _ configuration: AlsaConfiguration?) throws(RouteFailure) {
        var handle: OpaquePointer?
        let status =
            if let configuration {
                snd_pcm_open_lconf(
                    &handle, device, SND_PCM_STREAM_PLAYBACK, Int32(SND_PCM_NONBLOCK), configuration.root)
            } else {
                snd_pcm_open(&handle, device, SND_PCM_STREAM_PLAYBACK, Int32(SND_PCM_NONBLOCK))
            }
        guard status >= 0, let handle else { throw .system(.open, errorNumber: -status) }
        pcm = handle
        do throws(RouteFailure) {
            (format, periodFrames, bufferFrames) = try CardShape.chosen(for: handle)
        } catch {
            snd_pcm_close(handle)
            throw error
        }
    }

    deinit {
        snd_pcm_drop(pcm)
        snd_pcm_close(pcm)
    }

    func room() throws(PCMError) -> Int {
        let room = snd_pcm_avail(pcm)
        guard room >= 0 else { throw pcmError(Int32(room), .poll) }
        // A card that was late reports more than its buffer holds.
        return min(room, bufferFrames)
    }

    /// Returns the number of frames between the next write and the loudspeaker.
    func delayFrames(queued: Int) -> Int {
        var delay: snd_pcm_sframes_t = 0
        guard snd_pcm_delay(pcm, &delay) >= 0, delay >= queued else { return queued }
        return delay
    }

    /// Writes as many of these frames as the card accepts, and returns their number.
    func write(_ bytes: UnsafeRawBufferPointer, frames: Int) throws(PCMError) -> Int {
        let written = snd_pcm_writei(pcm, bytes.baseAddress, snd_pcm_uframes_t(frames))
        if written == -Int(EAGAIN) { return 0 }
        guard written >= 0 else { throw pcmError(Int32(written), .write) }
        return written
    }

    func start() throws(PCMError) {
        // Some cards start by themselves.
        guard snd_pcm_state(pcm) != SND_PCM_STATE_RUNNING else { return }
        let status = snd_pcm_start(pcm)
        guard status >= 0 else { throw pcmError(status, .start) }
    }

    /// Stops playback at once.
    func stop() { snd_pcm_drop(pcm) }

    /// Discards the frames that were not played, and prepares the card for writing and starting.
    func startOver() throws(RouteFailure) {
        snd_pcm_drop(pcm)
        let status = snd_pcm_prepare(pcm)
        guard status >= 0 else { throw .system(.recover, errorNumber: -status) }
    }

    /// Returns true if the card works again after a suspend. Does not wait for the card.
    func resume() throws(RouteFailure) -> Bool {
        let status = snd_pcm_resume(pcm)
        if status == -EAGAIN { return false }
        // Most cards cannot resume where they stopped, but can start over.
        if status < 0 { try startOver() }
        return true
    }

    /// The descriptors that report errors. They do not report free space, which `Player` computes.
    func descriptors() -> [pollfd] {
        let count = max(0, snd_pcm_poll_descriptors_count(pcm))
        var descriptors = [pollfd](repeating: pollfd(), count: Int(count))
        let filled = max(0, snd_pcm_poll_descriptors(pcm, &descriptors, UInt32(count)))
        return descriptors.prefix(Int(filled)).map { pollfd(fd: $0.fd, events: 0, revents: 0) }
    }

    /// Maps POLLERR on the descriptors to an error. Some cards, such as those of a sound server, update
    /// their state only when their position is queried.
    func pollError() -> PCMError {
        do throws(PCMError) {
            _ = try room()
        } catch {
            return error
        }
        return switch snd_pcm_state(pcm) {
        case SND_PCM_STATE_XRUN: .underrun
        case SND_PCM_STATE_SUSPENDED: .suspended
        case SND_PCM_STATE_DISCONNECTED: .failed(.system(.poll, errorNumber: ENODEV))
        default: .failed(.system(.poll, errorNumber: EIO))
        }
    }

    private func pcmError(_ status: Int32, _ operation: RouteFailure.Operation) -> PCMError {
        switch -status {
        case EPIPE: .underrun
        case ESTRPIPE: .suspended
        case let number: .failed(.system(operation, errorNumber: number))
        }
    }
}
