// An open card that takes frames: the one owner of ALSA's handle.

import CAlsa
import Glibc
import Sound

enum PCMError: Error {
    /// It had nothing to play, and has stopped.
    case underrun
    /// The machine was asleep.
    case suspended
    case failed(RouteFailure)
}

/// A card that is open for playback, never waits when it is written to, and is closed when it is let go.
final class CardStream {
    private let pcm: OpaquePointer
    let format: FrameFormat
    let periodFrames: Int
    let bufferFrames: Int

    /// Opens a device. That may take long, or for ever.
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
        // A card that was late tells of more than there can be.
        return min(room, bufferFrames)
    }

    /// How many frames are between what is written next and the ear.
    func delayFrames(queued: Int) -> Int {
        var delay: snd_pcm_sframes_t = 0
        guard snd_pcm_delay(pcm, &delay) >= 0, delay >= queued else { return queued }
        return delay
    }

    /// Writes what it takes of these frames, and answers how many.
    func write(_ bytes: UnsafeRawBufferPointer, frames: Int) throws(PCMError) -> Int {
        let written = snd_pcm_writei(pcm, bytes.baseAddress, snd_pcm_uframes_t(frames))
        if written == -Int(EAGAIN) { return 0 }
        guard written >= 0 else { throw pcmError(Int32(written), .write) }
        return written
    }

    func start() throws(PCMError) {
        // A card that starts by itself is content as it is.
        guard snd_pcm_state(pcm) != SND_PCM_STATE_RUNNING else { return }
        let status = snd_pcm_start(pcm)
        guard status >= 0 else { throw pcmError(status, .start) }
    }

    /// Silence, at once.
    func stop() { snd_pcm_drop(pcm) }

    /// Throws away what it has not played, and makes it ready to be written to and started.
    func startOver() throws(RouteFailure) {
        snd_pcm_drop(pcm)
        let status = snd_pcm_prepare(pcm)
        guard status >= 0 else { throw .system(.recover, errorNumber: -status) }
    }

    /// Whether the card is awake again after the machine was asleep; no card is waited for.
    func resume() throws(RouteFailure) -> Bool {
        let status = snd_pcm_resume(pcm)
        if status == -EAGAIN { return false }
        // Most cards cannot go on where they were. They can start over.
        if status < 0 { try startOver() }
        return true
    }

    /// What its descriptors tell of trouble. Room is not waited for with them: it is known when there will be some.
    func descriptors() -> [pollfd] {
        let count = max(0, snd_pcm_poll_descriptors_count(pcm))
        var descriptors = [pollfd](repeating: pollfd(), count: Int(count))
        let filled = max(0, snd_pcm_poll_descriptors(pcm, &descriptors, UInt32(count)))
        return descriptors.prefix(Int(filled)).map { pollfd(fd: $0.fd, events: 0, revents: 0) }
    }

    /// Maps POLLERR on the descriptors to an error. Some cards, those of a sound server among them, know how they are
    /// only when they are asked how far they are.
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
