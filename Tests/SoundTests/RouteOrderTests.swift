// The tests of the order in which routes are tried.

import Testing

@testable import Sound

@Suite struct RouteOrderTests {
    static let routes = [
        Route(id: "vc4hdmi1", kind: .hdmi), Route(id: "vc4hdmi0", kind: .hdmi),
        Route(id: "Headphones", kind: .analogue), Route(id: "pipewire", kind: .server),
        Route(id: "Speaker", kind: .usb, usbID: "1b3f:2008"), Route(id: "Device", kind: .usb, usbID: "0d8c:0014"),
    ]

    func ids(_ order: RouteOrder) -> [String] { order.ranked(Self.routes).map(\.id) }

    @Test func standardOrder_isUSBThenAnalogueThenHDMI() {
        #expect(ids(.standard) == ["Device", "Speaker", "Headphones", "pipewire", "vc4hdmi0", "vc4hdmi1"])
    }

    @Test func listedRoutes_comeFirst_andNoneIsLeftOut() {
        let listed = RouteOrder.listed(["Headphones", "usb:1b3f:2008", "usb:"])
        #expect(ids(listed) == ["Headphones", "Speaker", "Device", "pipewire", "vc4hdmi0", "vc4hdmi1"])
        #expect(ids(.listed(["usb:Device", "vc4hdmi1"])).prefix(2) == ["Device", "vc4hdmi1"])
    }

    @Test func namesWithoutARoute_areReported_andCostNoRoute() {
        let wrong = RouteOrder.listed(["Headphone", "usb:ffff:0001", "usb:Headphones"])
        #expect(ids(wrong) == ids(.standard))
        #expect(wrong.namesWithoutRoute(among: Self.routes) == ["Headphone", "usb:ffff:0001", "usb:Headphones"])
        #expect(RouteOrder.listed(["usb:", "pipewire"]).namesWithoutRoute(among: Self.routes) == [])
    }

    /// A missing route of lower rank is not reported while a better one works.
    @Test func namesWithoutARoute_behindAWorkingRoute_areNotReported() throws {
        let headphones = try #require(Self.routes.first { $0.id == "Headphones" })
        let order = RouteOrder.listed(["usb:ffff:0001", "Headphones", "Amplifier"])
        #expect(order.namesWithoutRoute(among: Self.routes) == ["usb:ffff:0001", "Amplifier"])
        #expect(order.namesWithoutRoute(among: Self.routes, before: headphones) == ["usb:ffff:0001"])
    }

    @Test func routes_areNamed_byIdOrUSBIdentifier() throws {
        let headphones = try #require(Self.routes.first { $0.id == "Headphones" })
        let usb = try #require(Self.routes.first { $0.kind == .usb })
        #expect(RouteOrder.listed(["usb:", "Headphones"]).names(headphones))
        #expect(RouteOrder.listed(["usb:"]).names(usb))
        #expect(!RouteOrder.listed(["usb:", "vc4hdmi0"]).names(headphones))
        #expect(!RouteOrder.standard.names(usb))
    }
}
