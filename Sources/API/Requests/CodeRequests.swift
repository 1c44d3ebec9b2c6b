// The requests about codes, tags and the camera.

import Alarms

package struct ListCodes: Request {
    package struct Response: Codable, Sendable {
        package let codes: [CodeReport]

        package init(codes: [CodeReport]) { self.codes = codes }
    }

    package init() {}

    package static let spec = RequestSpec(
        "codes", .get, "/codes", changes: false, may: .look, "Returns the codes and tags that are enrolled")
}

package struct EnrolCode: Request {
    package struct Response: Codable, Sendable {
        package let code: CodeReport
        /// True if the owner should enrol a second one: this is the only one, and the emergency exit is off.
        package let another: Bool

        package init(code: CodeReport, another: Bool) { (self.code, self.another) = (code, another) }
    }

    package let label: String
    package let kind: CodeKind?

    package init(label: String, kind: CodeKind? = nil) { (self.label, self.kind) = (label, kind) }

    package static let spec = RequestSpec(
        "enrol", .post, "/codes", changes: true, may: .change,
        "Enrols the code before the camera, or the tag at the reader",
        fields: ["label": "its name", "kind": "qr for a code, or tag; default: qr"])
}

package struct TestCode: Request {
    package struct Response: Codable, Sendable {
        /// Missing if the code is not enrolled.
        package let label: String?
        package let kind: CodeKind
        package let fingerprint: String
        package let symbology: String?

        package init(label: String?, kind: CodeKind, fingerprint: String, symbology: String?) {
            (self.label, self.kind, self.fingerprint, self.symbology) = (label, kind, fingerprint, symbology)
        }
    }

    package init() {}

    package static let spec = RequestSpec(
        "testCode", .post, "/codes/test", changes: true, may: .change,
        "Identifies the code before the camera, or the tag at the reader")
}

package struct CancelScan: Request {
    package struct Response: Codable, Sendable {
        package let scan: ScanReport?

        package init(scan: ScanReport?) { self.scan = scan }
    }

    package init() {}

    package static let spec = RequestSpec(
        "cancelScan", .post, "/codes/cancel", changes: true, may: .change, "Cancels the enrolment or the test of a code"
    )
}

package struct ForgetCode: Request {
    package let label: String

    package init(label: String) { self.label = label }

    package static let spec = RequestSpec(
        "forgetCode", .delete, "/codes/{label}", changes: true, may: .change, "Removes an enrolled code or tag",
        fields: ["label": "its name"])
}

package struct PreviewCamera: Request {
    package struct Response: Codable, Sendable {
        package let view: CameraViewReport

        package init(view: CameraViewReport) { self.view = view }
    }

    package init() {}

    package static let spec = RequestSpec(
        "preview", .post, "/camera/preview", changes: true, may: .change,
        "Returns the camera's view. The camera stays on for a few seconds after the last such request")
}

package struct GetCameraPicture: Request {
    package struct Response: Codable, Sendable {
        /// The newest picture of the camera, as a small JPEG.
        package let content: MediaReport

        package init(content: MediaReport) { self.content = content }
    }

    package init() {}

    package static let spec = RequestSpec(
        "cameraPicture", .get, "/camera/picture", changes: false, may: .change, media: ["image/jpeg"],
        "Returns the newest picture of the camera, while `preview` keeps it on. No picture is stored")
}

package struct PrintCode: Request {
    package struct Response: Codable, Sendable {
        /// The fingerprint of the code on the sheet.
        package let fingerprint: String?

        package init(fingerprint: String?) { self.fingerprint = fingerprint }
    }

    package let payload: String

    package init(payload: String) { self.payload = payload }

    package static let spec = RequestSpec(
        "printCode", .post, "/codes/print", changes: true, may: .change,
        "Returns the fingerprint of a code that Rooster prints",
        fields: ["payload": "the content of the code"])
}

package struct MakeCodeSheet: Request {
    package struct Response: Codable, Sendable {
        /// The fingerprint of the code on the sheet.
        package let fingerprint: String?
        /// The sheet as SVG, for A4 and Letter.
        package let content: MediaReport

        package init(fingerprint: String?, content: MediaReport) {
            (self.fingerprint, self.content) = (fingerprint, content)
        }
    }

    package let label: String

    package init(label: String) { self.label = label }

    package static let spec = RequestSpec(
        "codeSheet", .post, "/codes/sheet", changes: true, may: .change, media: ["image/svg+xml"],
        "Makes a new code, and returns a sheet with it to print. The code itself is stored nowhere",
        fields: ["label": "the name under which the code will be enrolled"])
}
