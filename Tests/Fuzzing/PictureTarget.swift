// Picture files under fuzzing: read, and looked through for codes of every kind.

import CodeReading
import Devices

/// Holds the readers of picture files, and of what is in them, to their promises.
func fuzzPicture(_ bytes: [UInt8]) throws(BrokenPromise) {
    let picture: Picture
    do {
        picture = try Picture(file: bytes)
    } catch {
        try promiseReadable("\(error)")
        return
    }
    try promise(Picture.isPossible(width: picture.width, height: picture.height), "a picture of an impossible size")
    try promise(picture.luma.count == picture.points, "a picture with other points than it has")
    // Large ones take long to look through, and are looked through like small ones.
    guard picture.points <= 40_000 else { return }
    var reader = CodeReader()
    // The second time it goes on where it has found something.
    for _ in 0..<2 {
        let reading = reader.read(picture, wanted: Set(Symbology.allCases), budgetMilliseconds: 60_000)
        try promise((reading.decoder == nil) == reading.codes.isEmpty, "somebody has read nothing")
        let distinct = Set(reading.codes.map { ReadCode($0.symbology, payload: $0.payload) })
        try promise(distinct.count == reading.codes.count, "a code is told twice")
        for code in reading.codes {
            // The longest is of digits only, in a QR code of the largest size.
            try promise((1...7089).contains(code.payload.count), "a payload of \(code.payload.count) bytes")
            try promise((0...100).contains(code.sizePercent), "a code of \(code.sizePercent) %")
        }
        try promise((0...100).contains(reading.light) && (0...100).contains(reading.sharpness), "measures out of range")
    }
}
