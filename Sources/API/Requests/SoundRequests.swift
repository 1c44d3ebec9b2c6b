// The requests about the owner's sounds.

package struct GetSound: Request {
    package struct Response: Codable, Sendable {
        /// The beginning of the sound, at most 15 seconds, as WAV with 16 bits and one channel.
        package let content: MediaReport

        package init(content: MediaReport) { self.content = content }
    }

    package let sound: String

    package init(sound: String) { self.sound = sound }

    package static let spec = RequestSpec(
        "sound", .get, "/sounds/{sound}", changes: false, may: .look, media: ["audio/wav"],
        "Returns the beginning of a sound, as an alarm plays it", fields: ["sound": "its id"])
}

package struct AddSound: Request {
    package struct Response: Codable, Sendable {
        /// The number of bytes that the service has so far.
        package let received: Int
        /// The new sound; missing until the file is whole.
        package let sound: ListSounds.Sound?

        package init(received: Int, sound: ListSounds.Sound?) { (self.received, self.sound) = (received, sound) }
    }

    package let sound: String
    package let upload: String
    package let size: Int
    package let offset: Int
    package let data: String

    /// The limit on the bytes of a piece. Its line is short enough that the service parses it at once.
    package static let pieceBytesMax = 45 << 10

    package init(sound: String, upload: String, size: Int, offset: Int, data: String) {
        (self.sound, self.upload, self.size, self.offset, self.data) = (sound, upload, size, offset, data)
    }

    package static let spec = RequestSpec(
        "addSound", .put, "/sounds/{sound}", changes: true, may: .change,
        "Adds a sound file of the owner, or replaces one that no alarm uses. Over HTTP the body is the file; on the "
            + "socket it comes in pieces, one after the other",
        fields: [
            "sound": "the name of the file with its ending, such as morning.mp3",
            "upload": "a name that the client makes up, the same for all pieces of the file",
            "size": "the size of the whole file in bytes, at most 16 MiB",
            "offset": "the bytes before this piece; 0 begins anew",
            "data": "at most 46080 bytes of the file, in base64",
        ])
}

package struct RemoveSound: Request {
    package let sound: String

    package init(sound: String) { self.sound = sound }

    package static let spec = RequestSpec(
        "removeSound", .delete, "/sounds/{sound}", changes: true, may: .change,
        "Deletes a sound file of the owner. It is refused while an alarm or the defaults use the sound",
        fields: ["sound": "its id"])
}
