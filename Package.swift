// swift-tools-version: 6.0
// The house: one target per room. README.md shows how the rooms fit together.
import PackageDescription

let package = Package(
    name: "rooster",
    targets: [
        .target(name: "CivilTime"),
        .executableTarget(name: "rooster", dependencies: ["CivilTime"]),
        .testTarget(name: "CivilTimeTests", dependencies: ["CivilTime"]),
    ]
)
