// swift-tools-version: 6.0
// The house: one target per room. docs/DESIGN.md says how the rooms fit together.
import PackageDescription

// For targets in which the tests compute most: optimised in debug builds too, for without it these tests take five times as
// long. Asserts are still checked.
let optimised: [SwiftSetting] = [.unsafeFlags(["-O", "-assert-config", "Debug"], .when(configuration: .debug))]

let package = Package(
    name: "rooster",
    products: [
        // ALSA loads it by itself: it has to be a file of its own.
        .library(name: "rooster-faulty-card", type: .dynamic, targets: ["FaultyCard"])
    ],
    targets: [
        .target(name: "Text", swiftSettings: optimised),
        .target(name: "JSON", dependencies: ["Text"], swiftSettings: optimised),
        .target(name: "CivilTime", dependencies: ["Text"], swiftSettings: optimised),
        .target(name: "Alarms", dependencies: ["CivilTime", "JSON", "Text"], swiftSettings: optimised),
        .target(
            name: "Engine", dependencies: ["Alarms", "CivilTime", "JSON", "Text"], swiftSettings: optimised),
        .target(name: "CLinux"),
        .target(name: "Loop", dependencies: ["CLinux"]),
        .target(name: "Sound", swiftSettings: optimised),
        .systemLibrary(name: "CSodium", pkgConfig: "libsodium", providers: [.apt(["libsodium-dev"])]),
        .target(name: "Devices", dependencies: ["Sound", "CSodium"], swiftSettings: optimised),
        .target(name: "Journal", dependencies: ["Loop", "CLinux"], swiftSettings: optimised),
        .systemLibrary(name: "CAlsa", pkgConfig: "alsa", providers: [.apt(["libasound2-dev"])]),
        .systemLibrary(name: "CSndfile", pkgConfig: "sndfile", providers: [.apt(["libsndfile1-dev"])]),
        .systemLibrary(name: "CSamplerate", pkgConfig: "samplerate", providers: [.apt(["libsamplerate0-dev"])]),
        .systemLibrary(name: "CConfig", pkgConfig: "libconfig", providers: [.apt(["libconfig-dev"])]),
        .systemLibrary(name: "CUdev", pkgConfig: "libudev", providers: [.apt(["libudev-dev"])]),
        // Which of the two libgpiods there is, only this target knows.
        .target(name: "CGpiod", linkerSettings: [.linkedLibrary("gpiod")]),
        // What pkg-config says of libpcsclite, Swift's package manager does not take.
        .target(
            name: "CPcsc", cSettings: [.unsafeFlags(["-I/usr/include/PCSC"])],
            linkerSettings: [.linkedLibrary("pcsclite")]),
        .systemLibrary(name: "CEvdev", pkgConfig: "libevdev", providers: [.apt(["libevdev-dev"])]),
        .target(
            name: "LinuxDevices",
            dependencies: [
                "Devices", "CLinux", "CAlsa", "CSndfile", "CSamplerate", "CUdev", "CGpiod", "CEvdev", "CPcsc", "Loop",
                "Sound",
            ]),
        .systemLibrary(name: "CZbar", pkgConfig: "zbar", providers: [.apt(["libzbar-dev"])]),
        // C++, which only this target sees.
        .target(name: "CZxing", linkerSettings: [.linkedLibrary("ZXing")]),
        .systemLibrary(name: "CTurbojpeg", pkgConfig: "libturbojpeg", providers: [.apt(["libturbojpeg0-dev"])]),
        .target(
            name: "Pictures", dependencies: ["Devices", "CZbar", "CZxing", "CPng", "CTurbojpeg"],
            swiftSettings: optimised),
        .systemLibrary(name: "CQrencode", pkgConfig: "libqrencode", providers: [.apt(["libqrencode-dev"])]),
        .systemLibrary(name: "CPng", pkgConfig: "libpng16", providers: [.apt(["libpng-dev"])]),
        .target(name: "Sheets", dependencies: ["CQrencode", "CPng"]),
        .target(
            name: "SimulatedDevices", dependencies: ["Devices", "Journal", "Loop", "Sound"], swiftSettings: optimised),
        .target(
            name: "Service",
            dependencies: ["Alarms", "CivilTime", "Devices", "Engine", "Journal", "JSON", "Loop", "Sound", "Text"]),
        .target(name: "Vocabulary", dependencies: ["Alarms", "CivilTime", "JSON", "Text"]),
        .target(
            name: "Control",
            dependencies: [
                "Service", "Alarms", "CivilTime", "CLinux", "Devices", "Engine", "JSON", "Loop", "Sound", "Text",
                "Vocabulary",
            ]),
        .target(name: "Configuration", dependencies: ["CivilTime", "Devices", "CConfig", "Sound", "Text"]),
        .executableTarget(
            name: "rooster",
            dependencies: [
                "Alarms", "CivilTime", "CLinux", "Devices", "Journal", "Service", "Sheets", "JSON", "Loop", "Sound",
                "Text", "Vocabulary",
            ]),
        .executableTarget(
            name: "roosterd",
            dependencies: [
                "Alarms", "CivilTime", "Configuration", "Devices", "Journal", "LinuxDevices", "SimulatedDevices",
                "Service", "Control", "CLinux", "JSON", "Loop", "Sound", "Text", "Vocabulary",
            ]),

        .systemLibrary(name: "CSeccomp", pkgConfig: "libseccomp", providers: [.apt(["libseccomp-dev"])]),
        .target(name: "Sandbox", dependencies: ["CLinux", "CSeccomp"]),
        .target(name: "CVideo"),
        .systemLibrary(name: "CV4lConvert", pkgConfig: "libv4lconvert", providers: [.apt(["libv4l-dev"])]),
        .executableTarget(
            name: "sight",
            dependencies: [
                "Devices", "Pictures", "Sandbox", "CVideo", "CV4lConvert", "CTurbojpeg", "JSON", "Loop",
            ]),

        .executableTarget(
            name: "simulate",
            dependencies: [
                "Engine", "Alarms", "CivilTime", "Devices", "Journal", "Service", "SimulatedDevices", "JSON", "Sound",
                "Text",
            ],
            swiftSettings: optimised),

        .executableTarget(
            name: "bench",
            dependencies: [
                "Alarms", "Engine", "CivilTime", "Household", "Journal", "Devices", "LinuxDevices", "Service",
                "FaultyCard",
                "PaintedCamera", "Pictures", "SimulatedChip", "Specimens", "CIcal", "CLinux", "CSqlite", "JSON", "Loop",
                "Sound",
            ]),

        .systemLibrary(name: "CSqlite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CIcal", pkgConfig: "libical", providers: [.apt(["libical-dev"])]),
        .target(name: "Oracles", dependencies: ["CIcal", "JSON", "Text", "Loop"], path: "Tests/Oracles"),
        .testTarget(name: "TextTests", dependencies: ["Text"]),
        .testTarget(name: "JSONTests", dependencies: ["JSON", "Oracles"], exclude: ["json_oracle.py"]),
        .testTarget(name: "LoopTests", dependencies: ["Loop", "Oracles"]),
        .testTarget(name: "SoundTests", dependencies: ["Sound", "Oracles"]),
        .testTarget(
            name: "CivilTimeTests", dependencies: ["CivilTime", "Oracles"], exclude: ["zone_oracle.py"]),
        .testTarget(
            name: "AlarmsTests", dependencies: ["Alarms", "CivilTime", "Oracles", "JSON", "Text"],
            exclude: ["recurrence_oracle.py"]),

        .testTarget(
            name: "EngineTests", dependencies: ["Engine", "Service", "Alarms", "CivilTime", "Oracles", "JSON", "Text"],
            exclude: ["Golden", "Scenarios", "agenda_oracle.py", "plan_oracle.py"]),

        .testTarget(
            name: "simulateTests", dependencies: ["simulate", "Oracles", "Alarms", "CivilTime", "Engine", "JSON"],
            exclude: ["nights.txt"]),

        .executableTarget(name: "appender", dependencies: ["Journal"], path: "Tests/Appender"),
        .testTarget(
            name: "DevicesTests", dependencies: ["Devices", "Oracles", "Sound"], exclude: ["Buttons/debounce_oracle.py"]
        ),
        .target(
            name: "Specimens", dependencies: ["Pictures", "Sheets", "CTurbojpeg"], path: "Tests/Specimens",
            swiftSettings: optimised),
        .testTarget(
            name: "PicturesTests",
            dependencies: ["Pictures", "Sheets", "Devices", "CPng", "CQrencode", "Specimens", "Oracles"],
            exclude: ["rates.txt"]),
        .testTarget(
            name: "sightTests", dependencies: ["sight", "Sheets", "Devices", "Pictures", "Oracles", "JSON", "Loop"]),
        .testTarget(name: "SheetsTests", dependencies: ["Sheets", "Pictures"]),
        .testTarget(
            name: "SimulatedDevicesTests",
            dependencies: ["SimulatedDevices", "Mocks", "Devices", "Journal", "Oracles", "Sound"]),
        .target(name: "Mocks", dependencies: ["SimulatedDevices", "Devices", "Sound"], path: "Tests/Mocks"),
        .target(
            name: "FaultyCard", dependencies: ["CAlsa"], path: "Tests/FaultyCard", cSettings: [.define("PIC")]),
        .target(
            name: "PaintedCamera", dependencies: ["CVideo", "CQrencode", "Loop"], path: "Tests/PaintedCamera"),
        .target(name: "SimulatedChip", path: "Tests/SimulatedChip"),
        .executableTarget(name: "captive", dependencies: ["Sandbox"], path: "Tests/Captive"),
        .testTarget(name: "SandboxTests", dependencies: ["Sandbox", "Oracles", "captive"]),
        .executableTarget(name: "scriptedsight", dependencies: ["Devices"], path: "Tests/ScriptedSight"),
        .testTarget(
            name: "LinuxDevicesTests",
            dependencies: [
                "LinuxDevices", "Devices", "Mocks", "Oracles", "FaultyCard", "CSndfile", "CEvdev",
                "scriptedsight", "sight", "PaintedCamera", "SimulatedChip", "Loop", "Sound",
            ]),
        .testTarget(
            name: "JournalTests", dependencies: ["Journal", "SimulatedDevices", "Oracles", "appender", "Loop", "Sound"]),

        .target(
            name: "Household",
            dependencies: [
                "Service", "Engine", "Alarms", "CivilTime", "Devices", "Journal", "LinuxDevices", "Mocks",
                "SimulatedDevices", "JSON", "Loop", "Sound",
            ], path: "Tests/Household"),
        .testTarget(name: "VocabularyTests", dependencies: ["Vocabulary", "JSON", "Oracles"]),
        .testTarget(
            name: "ControlTests",
            dependencies: [
                "Control", "Service", "Household", "Engine", "Alarms", "Devices", "Mocks", "SimulatedDevices",
                "Oracles", "JSON", "Loop", "Sound", "Vocabulary",
            ]),
        .testTarget(
            name: "ServiceTests",
            dependencies: [
                "Service", "Household", "Engine", "Alarms", "CivilTime", "Devices", "Journal", "LinuxDevices",
                "SimulatedDevices", "Mocks", "Oracles", "Loop", "Sound",
            ]),
        .target(
            name: "ScriptedService", dependencies: ["Oracles", "JSON", "Vocabulary"], path: "Tests/ScriptedService"),
        // The tests of rooster are three targets, which are compiled side by side: they are the last of a build.
        .testTarget(
            name: "roosterWordsTests",
            dependencies: ["rooster", "Alarms", "CivilTime", "ScriptedService", "Oracles", "JSON", "Vocabulary"],
            path: "Tests/roosterTests/Words"),
        .testTarget(
            name: "roosterProgramTests",
            dependencies: [
                "rooster", "roosterd", "sight", "Sheets", "Journal", "ScriptedService", "Oracles", "FaultyCard", "JSON",
                "Sound",
            ],
            path: "Tests/roosterTests/Program"),
        .testTarget(
            name: "roosterServiceTests",
            dependencies: [
                "rooster", "Alarms", "Control", "Household", "ScriptedService", "Service", "Oracles", "JSON", "Sound",
                "Vocabulary", "Loop",
            ], path: "Tests/roosterTests/Service"),
        .testTarget(name: "ConfigurationTests", dependencies: ["Configuration", "Devices", "Oracles", "Text"]),
        .testTarget(
            name: "roosterdTests",
            dependencies: [
                "roosterd", "Household", "Alarms", "CivilTime", "Configuration", "Devices", "Service", "Oracles",
                "JSON", "Loop", "Sound",
            ]),

        .target(
            name: "Fuzzing",
            dependencies: [
                "Alarms", "CivilTime", "Devices", "Journal", "Pictures", "SimulatedDevices", "JSON", "Vocabulary",
            ],
            path: "Tests/Fuzzing"
        ),
        .systemLibrary(name: "CLibFuzzer", path: "Tests/Fuzz/CLibFuzzer"),
        .executableTarget(
            name: "fuzz", dependencies: ["Fuzzing", "CLibFuzzer"], path: "Tests/Fuzz",
            exclude: ["CLibFuzzer", "corpus", "dictionaries"]),
        .testTarget(name: "FuzzingTests", dependencies: ["Fuzzing", "Oracles"]),
        .testTarget(name: "DocumentsTests", dependencies: ["Service"]),
    ],
    cxxLanguageStandard: .cxx17
)
