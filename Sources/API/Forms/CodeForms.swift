// What can be asked about codes and tags, and the camera.

import Alarms
import JSON

package struct ListCodes: Form {
    package struct Answer: Codable, Sendable {
        package var codes: [CodeReport]

        package init(codes: [CodeReport]) { self.codes = codes }
    }

    package init() {}

    package static let row = FormRow("codes", .get, "/codes", "the codes and tags that are enrolled")
}

package struct EnrolCode: Form {
    package struct Answer: Codable, Sendable {
        package var code: CodeReport
        /// Whether a second one would be wise: the only one could burn, and there is no emergency way out.
        package var another: Bool

        package init(code: CodeReport, another: Bool) { (self.code, self.another) = (code, another) }
    }

    package var label: String
    package var kind: Challenge.Kind?

    package init(label: String, kind: Challenge.Kind? = nil) { (self.label, self.kind) = (label, kind) }

    package static let row = FormRow(
        "enrol", .post, "/codes",
        "the code that is held before the camera, or the tag before the reader, is to be known",
        fields: [
            "label": "what it is to be called", "kind": "qr for a code, which it is where nothing is said, or tag",
        ])
}

package struct TestCode: Form {
    package struct Answer: Codable, Sendable {
        /// What it is called; missing where it is not enrolled.
        package var label: String?
        package var kind: Challenge.Kind
        package var fingerprint: String
        package var symbology: String?

        package init(label: String?, kind: Challenge.Kind, fingerprint: String, symbology: String?) {
            (self.label, self.kind) = (label, kind)
            (self.fingerprint, self.symbology) = (fingerprint, symbology)
        }
    }

    package init() {}

    package static let row = FormRow("testCode", .post, "/codes/test", "which code or tag is held before the device")
}

package struct CancelLook: Form {
    package struct Answer: Codable, Sendable {
        package var looking: LookingReport?

        package init(looking: LookingReport?) { self.looking = looking }
    }

    package init() {}

    package static let row = FormRow("cancel", .post, "/codes/cancel", "an enrolment or a test of a code is to be over")
}

package struct ForgetCode: Form {
    package var label: String

    package init(label: String) { self.label = label }

    package static let row = FormRow(
        "forgetCode", .delete, "/codes/{label}", "a code or tag is to be known no more", fields: ["label": "its name"])
}

package struct PreviewCamera: Form {
    package struct Answer: Codable, Sendable {
        package var view: CameraViewReport

        package init(view: CameraViewReport) { self.view = view }
    }

    package init() {}

    package static let row = FormRow(
        "preview", .post, "/camera/preview", "what the camera sees: it is on for some seconds after this was asked last"
    )
}

package struct PrintCode: Form {
    package struct Answer: Codable, Sendable {
        /// By what the code on the sheet will be told from others.
        package var fingerprint: String?

        package init(fingerprint: String?) { self.fingerprint = fingerprint }
    }

    package var payload: String

    package init(payload: String) { self.payload = payload }

    package static let row = FormRow(
        "printCode", .post, "/codes/print", "the fingerprint of a code on a sheet that Rooster prints",
        fields: ["payload": "what the code says"])
}
