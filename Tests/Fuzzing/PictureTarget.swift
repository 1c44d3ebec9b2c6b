// The fuzz target for picture files: it reads one and searches it for codes of every kind.

import CodeReading
import Devices

/// Checks the promises of the picture readers and of the code reader.
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
    // A large picture takes long, and the code that reads it is the same.
    guard picture.points <= 40_000 else { return }
    var reader = CodeReader()
    // The second read starts from the place where the first found a code.
    for _ in 0..<2 {
        let reading = reader.read(picture, wanted: Set(Symbology.allCases), budgetMilliseconds: 60_000)
        try promise((reading.decoder == nil) == reading.codes.isEmpty, "somebody has read nothing")
        let distinct = Set(reading.codes.map { ReadCode($0.symbology, payload: $0.payload) })
        try promise(distinct.count == reading.codes.count, "a code is told twice")
        for code in reading.codes {
            // The longest payload is digits only, in a QR code of the largest size.
            try promise((1...7089).contains(code.payload.count), "a payload of \(code.payload.count) bytes")
            try promise((0...100).contains(code.sizePercent), "a code of \(code.sizePercent) %")
        }
        try promise((0...100).contains(reading.light) && (0...100).contains(reading.sharpness), "measures out of range")
    }
}
