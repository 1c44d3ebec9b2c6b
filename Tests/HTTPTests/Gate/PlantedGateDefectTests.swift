// The tests of the gate's table: each rule is left out once, and the table must notice.

import Testing

@testable import HTTP

/// The planted defects of a gate. Each hides an offence from a correct gate, so that both together
/// behave like a gate without that rule.
enum GateDefect: String, CaseIterable {
    case methodNotChecked, caseOfMethodIgnored, versionNotChecked
    case lastHostTaken, hostNotRequired, hostNotParsed, anyHostAccepted, anyAddressAccepted, subdomainsAccepted
    case firstLengthTaken, signsAccepted, longLengthCut, codingWins, lastCodingTaken, otherCodingIgnored,
        codingAcceptedInOldVersion
    case bodyOfSafeMethodIgnored
    case controlBytesDropped, lineBreaksFolded, namesTrimmed, nulCutsName
    case sizeNotChecked, countNotChecked, targetCut
    case absoluteTargetAccepted, nulCutsTarget, controlsDropped, dotSegmentsRemoved, escapedDotsKept, slashesMerged
    case escapesNotChecked, overlongFormsRead, fragmentDropped
    case originNotChecked, nullTrusted, portOfOriginIgnored, schemeOfOriginIgnored, originNotRequired
    case secondCookieDropped, conditionIgnored, keyIgnored
}

extension GateDefect {
    /// Returns the request as the gate with the defect sees it.
    func blind(_ head: RequestHead) -> RequestHead {
        var head = head
        let text = { (bytes: [UInt8]) in String(decoding: bytes, as: UTF8.self) }
        let isSafe = ["GET", "HEAD"].contains(text(head.method))
        switch self {
        case .methodNotChecked: if HTTPMethod(rawValue: text(head.method)) == nil { head.method = Array("GET".utf8) }
        case .caseOfMethodIgnored: head.method = Array(text(head.method).uppercased().utf8)
        case .versionNotChecked: head.version = Array("HTTP/1.1".utf8)
        case .lastHostTaken: head.keepLast("host")
        case .hostNotRequired: if head["host"] == nil { head["host"] = "rooster" }
        case .hostNotParsed: if head["host"].map({ Authority($0) == nil }) ?? false { head["host"] = "rooster" }
        case .anyHostAccepted: if head["host"].map({ Authority($0) != nil }) ?? false { head["host"] = "rooster" }
        case .anyAddressAccepted:
            if case .address? = head["host"].flatMap({ Authority($0) })?.host { head["host"] = "a" }
        case .subdomainsAccepted: if head["host"]?.hasSuffix(".rooster.local") == true { head["host"] = "a" }
        case .firstLengthTaken: head.keepFirst("content-length")
        case .signsAccepted: head["content-length"] = head["content-length"]?.replacing("+", with: "")
        case .longLengthCut: head["content-length"] = head["content-length"].map { String($0.prefix(9)) }
        case .codingWins: if head["transfer-encoding"] != nil { head["content-length"] = nil }
        case .lastCodingTaken: head.keepLast("transfer-encoding")
        case .otherCodingIgnored: if head["transfer-encoding"] == "gzip" { head["transfer-encoding"] = nil }
        case .codingAcceptedInOldVersion: if head["transfer-encoding"] != nil { head.version = Array("HTTP/1.1".utf8) }
        case .bodyOfSafeMethodIgnored:
            if isSafe { head["content-length"] = nil }
            if isSafe { head["transfer-encoding"] = nil }
        case .controlBytesDropped: head.mapValues { $0.filter(\.isFieldByte) }
        case .lineBreaksFolded: head.mapValues { $0.map { [0x0A, 0x0D].contains($0) ? 0x20 : $0 } }
        case .namesTrimmed: head.mapNames { Array($0.trimmingSpaces) }
        case .nulCutsName: head.mapNames { $0.first == 0 ? Array("x".utf8) : $0 }
        case .sizeNotChecked: head.mapValues { Array($0.prefix(1000)) }
        case .countNotChecked: head.fields = Array(head.fields.prefix(HeadLimits.fieldsMax))
        case .targetCut: head.target = Array(head.target.prefix(HeadLimits.targetBytesMax))
        case .absoluteTargetAccepted: if text(head.target).hasPrefix("http:") { head.target = Array("/x".utf8) }
        case .nulCutsTarget: head.retarget { $0.components("%00")[0] }
        case .controlsDropped: head.retarget { $0.replacing("%0A", with: "") }
        case .dotSegmentsRemoved: head.retarget { $0.replacing("/..", with: "") }
        case .escapedDotsKept: head.retarget { $0.replacing("%2e%2E", with: "_") }
        case .slashesMerged: head.retarget { $0.replacing("//", with: "/") }
        case .escapesNotChecked: head.retarget { $0.replacing("%zz", with: "zz") }
        case .overlongFormsRead: head.retarget { $0.replacing("%C0%AF", with: "%2F") }
        case .fragmentDropped: head.retarget { $0.components("#")[0] }
        case .originNotChecked: if !isSafe { head["origin"] = "http://\(head["host"] ?? "")" }
        case .nullTrusted: if head["origin"] == "null" { head["origin"] = "http://rooster.local" }
        case .portOfOriginIgnored: head["origin"] = head["origin"]?.replacing(":81", with: "")
        case .schemeOfOriginIgnored: head["origin"] = head["origin"]?.replacing("https:", with: "http:")
        case .originNotRequired: if !isSafe, head["origin"] == nil { head["cookie"] = nil }
        case .secondCookieDropped: head["cookie"] = head["cookie"]?.components("; rooster")[0]
        case .conditionIgnored: head["if-match"] = nil
        case .keyIgnored: head["idempotency-key"] = nil
        }
        return head
    }
}

@Suite struct PlantedGateDefectTests {
    /// Returns the rows that must be refused, and are accepted by a gate that sees requests in this form.
    private func accepted(by blind: (RequestHead) -> RequestHead) -> [GateRow] {
        GateRow.all.filter { $0.refusal != nil && RequestGate.fixture.refusal(of: blind($0.head)) == nil }
    }

    @Test(arguments: GateDefect.allCases) func plantedDefect_isCaught(defect: GateDefect) throws {
        let row = try #require(accepted(by: defect.blind).first, "no row notices \(defect)")
        print("\(defect): caught by the row \"\(row.testDescription)\"")
    }

    @Test func everyRule_isLeftOutByADefect() {
        let rules = GateDefect.allCases.flatMap { accepted(by: $0.blind).compactMap(\.refusal) }
        #expect(Set(rules) == Set(GateRefusal.allCases))
        #expect(accepted { $0 }.isEmpty)
    }
}

extension String {
    fileprivate func components(_ separator: String) -> [String] {
        split(separator: separator, omittingEmptySubsequences: false).map(String.init)
    }
}

extension RequestHead {
    private func isNamed(_ name: String) -> (HeaderField) -> Bool {
        { String(decoding: $0.name, as: UTF8.self).lowercased() == name }
    }

    /// The only header of this name. A nil removes it; repeated headers stay as they are.
    fileprivate subscript(name: String) -> String? {
        get { fields.first(where: isNamed(name)).map { String(decoding: $0.value, as: UTF8.self) } }
        set {
            let found = fields.indices.filter { isNamed(name)(fields[$0]) }
            guard let newValue else { return fields.removeAll(where: isNamed(name)) }
            if found.isEmpty { fields.append(HeaderField(name, newValue)) }
            if found.count == 1 { fields[found[0]] = HeaderField(name, newValue) }
        }
    }

    fileprivate mutating func keepLast(_ name: String) {
        guard let last = fields.lastIndex(where: isNamed(name)) else { return }
        fields = fields.enumerated().filter { $0.offset == last || !isNamed(name)($0.element) }.map(\.element)
    }

    fileprivate mutating func keepFirst(_ name: String) {
        guard let first = fields.firstIndex(where: isNamed(name)) else { return }
        fields = fields.enumerated().filter { $0.offset == first || !isNamed(name)($0.element) }.map(\.element)
    }

    fileprivate mutating func mapValues(_ change: ([UInt8]) -> [UInt8]) {
        fields = fields.map { HeaderField(name: $0.name, value: change($0.value)) }
    }

    fileprivate mutating func mapNames(_ change: ([UInt8]) -> [UInt8]) {
        fields = fields.map { HeaderField(name: change($0.name), value: $0.value) }
    }

    fileprivate mutating func retarget(_ change: (String) -> String) {
        target = Array(change(String(decoding: target, as: UTF8.self)).utf8)
    }
}
