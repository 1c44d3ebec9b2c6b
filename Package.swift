// swift-tools-version: 6.0
// One target per module. docs/DESIGN.md says how the modules fit together.
import PackageDescription

// For targets in which the tests compute most: optimised in debug builds too, for without it these tests take five times as
// long. Asserts are still checked.
let optimised: [SwiftSetting] = [.unsafeFlags(["-O", "-assert-config", "Debug"], .when(configuration: .debug))]

let package = Package(
    name: "rooster",
    products: [
        // ALSA loads it by itself: it has to be a file of its own.
        .library(name: "rooster-faulty-card", type: .dynamic, targets: ["FaultyCard"]),
        // The benchmark's processes load it before the C library.
        .library(name: "rooster-slow-disk", type: .dynamic, targets: ["SlowDisk"]),
    ],
    targets: [
        .target(name: "Text", swiftSettings: optimised),
        .target(name: "JSON", dependencies: ["Text"], swiftSettings: optimised),
        .target(name: "CivilTime", dependencies: ["Text"], swiftSettings: optimised),
        .target(name: "Alarms", dependencies: ["CivilTime", "JSON", "Text"], swiftSettings: optimised),
        .target(name: "Health", dependencies: ["Alarms", "CivilTime", "Text"], swiftSettings: optimised),
        .target(name: "Challenges", dependencies: ["Alarms", "Health"], swiftSettings: optimised),
        .target(
            name: "Clients", dependencies: ["Alarms", "Challenges", "CivilTime", "Text"], swiftSettings: optimised),
        .target(name: "Agenda", dependencies: ["Alarms", "CivilTime", "Text"], swiftSettings: optimised),
        .target(
            name: "Engine",
            dependencies: ["Agenda", "Alarms", "Challenges", "CivilTime", "Clients", "Health", "Text"],
            swiftSettings: optimised),
        .target(name: "CLinux", path: "Sources/C/CLinux"),
        .target(name: "System", dependencies: ["CLinux", "Text"]),
        .target(name: "EventLoop", dependencies: ["CLinux", "System"]),
        .target(name: "Sound", swiftSettings: optimised),
        .systemLibrary(
            name: "CSodium", path: "Sources/C/CSodium", pkgConfig: "libsodium", providers: [.apt(["libsodium-dev"])]),
        .target(
            name: "Devices", dependencies: ["Alarms", "Sound", "CSodium", "CivilTime", "Text"], swiftSettings: optimised
        ),
        .target(name: "Journal", dependencies: ["CLinux", "System"], swiftSettings: optimised),
        .systemLibrary(
            name: "CAlsa", path: "Sources/C/CAlsa", pkgConfig: "alsa", providers: [.apt(["libasound2-dev"])]),
        .systemLibrary(
            name: "CSndfile", path: "Sources/C/CSndfile", pkgConfig: "sndfile", providers: [.apt(["libsndfile1-dev"])]),
        .systemLibrary(
            name: "CSamplerate", path: "Sources/C/CSamplerate", pkgConfig: "samplerate",
            providers: [.apt(["libsamplerate0-dev"])]),
        .systemLibrary(
            name: "CConfig", path: "Sources/C/CConfig", pkgConfig: "libconfig", providers: [.apt(["libconfig-dev"])]),
        .systemLibrary(
            name: "CUdev", path: "Sources/C/CUdev", pkgConfig: "libudev", providers: [.apt(["libudev-dev"])]),
        // This target hides the differences between libgpiod 1 and 2.
        .target(name: "CGpiod", path: "Sources/C/CGpiod", linkerSettings: [.linkedLibrary("gpiod")]),
        // Swift's package manager rejects the flags that pkg-config prints for libpcsclite.
        .target(
            name: "CPcsc", path: "Sources/C/CPcsc", cSettings: [.unsafeFlags(["-I/usr/include/PCSC"])],
            linkerSettings: [.linkedLibrary("pcsclite")]),
        .systemLibrary(
            name: "CEvdev", path: "Sources/C/CEvdev", pkgConfig: "libevdev", providers: [.apt(["libevdev-dev"])]),
        .target(
            name: "LinuxDevices",
            dependencies: [
                "Devices", "CLinux", "CUdev", "CGpiod", "CEvdev", "CPcsc", "EventLoop", "Sound", "System", "Alarms",
                "CivilTime",
            ]),
        .target(
            name: "AlsaSpeaker",
            dependencies: ["Devices", "CLinux", "CAlsa", "CSndfile", "CSamplerate", "LinuxDevices", "Sound", "System"]),
        .systemLibrary(name: "CZbar", path: "Sources/C/CZbar", pkgConfig: "zbar", providers: [.apt(["libzbar-dev"])]),
        // C++, which only this target sees.
        .target(name: "CZxing", path: "Sources/C/CZxing", linkerSettings: [.linkedLibrary("ZXing")]),
        .systemLibrary(
            name: "CTurbojpeg", path: "Sources/C/CTurbojpeg", pkgConfig: "libturbojpeg",
            providers: [.apt(["libturbojpeg0-dev"])]),
        .target(
            name: "CodeReading", dependencies: ["Devices", "CZbar", "CZxing", "CPng", "CTurbojpeg"],
            swiftSettings: optimised),
        .systemLibrary(
            name: "CQrencode", path: "Sources/C/CQrencode", pkgConfig: "libqrencode",
            providers: [.apt(["libqrencode-dev"])]),
        .systemLibrary(name: "CPng", path: "Sources/C/CPng", pkgConfig: "libpng16", providers: [.apt(["libpng-dev"])]),
        .target(name: "CodeSheets", dependencies: ["CQrencode"]),
        .target(name: "SheetPictures", dependencies: ["CodeSheets", "CPng"]),
        .target(
            name: "SimulatedDevices", dependencies: ["Devices", "Journal", "Sound", "System", "CivilTime"],
            swiftSettings: optimised),
        .target(
            name: "Records",
            dependencies: ["Agenda", "Alarms", "CivilTime", "Clients", "Engine", "Health", "Journal", "JSON"],
            swiftSettings: optimised),
        .target(
            name: "Service",
            dependencies: [
                "Alarms", "Challenges", "CivilTime", "Clients", "Devices", "Engine", "Health", "Journal", "EventLoop",
                "Records",
                "Sound", "Text",
            ]),
        .target(
            name: "API",
            dependencies: [
                "Agenda", "Alarms", "Challenges", "CivilTime", "Clients", "Health", "JSON", "Text", "Engine", "Devices",
                "Sound",
            ]),
        .target(
            name: "ControlServer",
            dependencies: [
                "Service", "Alarms", "CivilTime", "CLinux", "Clients", "CodeSheets", "Devices", "Engine", "Health",
                "JSON",
                "EventLoop",
                "Records", "Sound", "Text", "API", "System",
            ]),
        .target(name: "Configuration", dependencies: ["Alarms", "CivilTime", "Devices", "CConfig", "Sound", "Text"]),
        .target(name: "HTTP", dependencies: ["JSON", "Text"]),
        // This target has the calls that Swift cannot make.
        .target(name: "CMicrohttpd", path: "Sources/C/CMicrohttpd", linkerSettings: [.linkedLibrary("microhttpd")]),
        .target(name: "WebServer", dependencies: ["CLinux", "CMicrohttpd", "EventLoop", "HTTP", "System"]),
        .target(name: "WebAPI", dependencies: ["API", "Alarms", "CivilTime", "Engine", "HTTP", "JSON", "Text"]),
        .executableTarget(
            name: "rooster",
            dependencies: [
                "Alarms", "CivilTime", "CLinux", "Devices", "Health", "Journal", "Records", "CodeSheets", "JSON",
                "SheetPictures", "Sound", "Text", "API", "System",
            ]),
        .executableTarget(
            name: "roosterd",
            dependencies: [
                "Alarms", "AlsaSpeaker", "CivilTime", "Configuration", "Devices", "Journal", "LinuxDevices",
                "SimulatedDevices", "Service", "ControlServer", "CLinux", "EventLoop", "Sound", "Text", "API", "System",
                "JSON",
            ]),
        .executableTarget(
            name: "rooster-web",
            dependencies: ["API", "CLinux", "EventLoop", "HTTP", "JSON", "System", "Text", "WebAPI", "WebServer"],
            exclude: ["page"]),

        .systemLibrary(
            name: "CSeccomp", path: "Sources/C/CSeccomp", pkgConfig: "libseccomp", providers: [.apt(["libseccomp-dev"])]
        ),
        .target(name: "Sandbox", dependencies: ["CLinux", "CSeccomp"]),
        .systemLibrary(
            name: "CVideo", path: "Sources/C/CVideo", pkgConfig: "libv4lconvert", providers: [.apt(["libv4l-dev"])]),
        .executableTarget(
            name: "rooster-camera",
            dependencies: ["Devices", "CodeReading", "Sandbox", "CVideo", "CTurbojpeg", "JSON", "System"]),

        .executableTarget(
            name: "simulate",
            dependencies: [
                "Engine", "Agenda", "Alarms", "Challenges", "CivilTime", "Devices", "Health", "Journal", "Records",
                "Service", "SimulatedDevices", "JSON", "Sound", "Text",
            ],
            swiftSettings: optimised),

        .executableTarget(
            name: "bench",
            dependencies: [
                "Alarms", "AlsaSpeaker", "Engine", "CivilTime", "Fixtures", "Journal", "Service", "FaultyCard",
                "PaintedCamera", "CodeReading", "SimulatedChip", "Specimens", "CIcal", "CLinux", "CSqlite", "JSON",
                "Sound", "System", "Records",
            ]),

        .systemLibrary(
            name: "CSqlite", path: "Sources/C/CSqlite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(
            name: "CIcal", path: "Sources/C/CIcal", pkgConfig: "libical", providers: [.apt(["libical-dev"])]),
        .target(name: "Oracles", dependencies: ["CIcal", "JSON", "Text", "EventLoop"], path: "Tests/Oracles"),
        .testTarget(name: "TextTests", dependencies: ["Text"]),
        .testTarget(name: "JSONTests", dependencies: ["JSON", "Oracles"], exclude: ["json_oracle.py"]),
        .testTarget(
            name: "HTTPTests", dependencies: ["HTTP", "JSON", "Oracles", "Text"], exclude: ["Gate/gate_oracle.py"]),
        .testTarget(name: "EventLoopTests", dependencies: ["EventLoop", "Oracles", "System"]),
        .testTarget(name: "SoundTests", dependencies: ["Sound", "Oracles"]),
        .testTarget(
            name: "CivilTimeTests", dependencies: ["CivilTime", "Oracles"], exclude: ["zone_oracle.py"]),
        .testTarget(
            name: "AlarmsTests", dependencies: ["Alarms", "CivilTime", "Oracles", "JSON", "Text"],
            exclude: ["recurrence_oracle.py"]),

        .testTarget(name: "HealthTests", dependencies: ["Health", "Alarms", "CivilTime", "JSON"]),
        .testTarget(name: "AgendaTests", dependencies: ["Agenda", "Alarms", "CivilTime", "Oracles"]),
        .testTarget(name: "ClientsTests", dependencies: ["Clients", "Alarms", "Challenges", "CivilTime"]),
        .testTarget(name: "ChallengesTests", dependencies: ["Challenges", "Alarms", "CivilTime", "Health"]),
        .testTarget(
            name: "EngineTests",
            dependencies: [
                "Engine", "Records", "Agenda", "Alarms", "Challenges", "CivilTime", "Clients", "Health", "Oracles",
                "JSON",
                "Text",
            ],
            exclude: ["Scenarios", "agenda_oracle.py", "check_oracle.py", "plan_oracle.py"]),
        .testTarget(
            name: "RecordsTests",
            dependencies: [
                "Records", "Engine", "Agenda", "Alarms", "CivilTime", "Clients", "Health", "Journal", "JSON", "Oracles",
                "Text",
            ],
            exclude: ["Golden"]),

        .testTarget(
            name: "simulateTests",
            dependencies: ["simulate", "Oracles", "Alarms", "Challenges", "CivilTime", "Engine", "JSON"]),

        .executableTarget(name: "appender", dependencies: ["Journal"], path: "Tests/Appender"),
        .testTarget(
            name: "DevicesTests", dependencies: ["Devices", "Oracles", "Sound", "CivilTime"],
            exclude: ["Buttons/debounce_oracle.py"]
        ),
        .target(
            name: "Specimens", dependencies: ["CodeReading", "CodeSheets", "CTurbojpeg"], path: "Tests/Specimens",
            swiftSettings: optimised),
        .testTarget(
            name: "CodeReadingTests",
            dependencies: ["CodeReading", "CodeSheets", "Devices", "CPng", "CQrencode", "Specimens", "Oracles"],
            exclude: ["rates.txt"]),
        .testTarget(
            name: "roosterCameraTests",
            dependencies: [
                "rooster-camera", "CodeSheets", "Devices", "CodeReading", "Oracles", "JSON", "SheetPictures", "System",
            ]),
        .testTarget(name: "CodeSheetsTests", dependencies: ["CodeSheets", "CodeReading", "SheetPictures"]),
        .testTarget(
            name: "SimulatedDevicesTests",
            dependencies: ["SimulatedDevices", "Mocks", "Devices", "Journal", "Oracles", "Sound", "CivilTime"]),
        .target(
            name: "Mocks", dependencies: ["SimulatedDevices", "Devices", "Journal", "Sound", "System", "CivilTime"],
            path: "Tests/Mocks"),
        .target(
            name: "FaultyCard", dependencies: ["CAlsa"], path: "Tests/FaultyCard", cSettings: [.define("PIC")]),
        .target(name: "SlowDisk", path: "Tests/SlowDisk"),
        .target(
            name: "PaintedCamera", dependencies: ["CVideo", "CQrencode", "System"], path: "Tests/PaintedCamera"),
        .target(name: "SimulatedChip", path: "Tests/SimulatedChip"),
        .executableTarget(name: "captive", dependencies: ["Sandbox", "CLinux"], path: "Tests/Captive"),
        .testTarget(name: "SandboxTests", dependencies: ["Sandbox", "Oracles", "captive"]),
        .executableTarget(name: "scriptedcamera", dependencies: ["Devices"], path: "Tests/ScriptedCamera"),
        .testTarget(
            name: "LinuxDevicesTests",
            dependencies: [
                "LinuxDevices", "Devices", "Mocks", "Oracles", "CEvdev", "scriptedcamera", "rooster-camera",
                "PaintedCamera", "SimulatedChip", "EventLoop", "Sound", "System", "CLinux", "Alarms", "CivilTime",
            ]),
        .testTarget(
            name: "AlsaSpeakerTests",
            dependencies: ["AlsaSpeaker", "Devices", "Mocks", "Oracles", "FaultyCard", "CSndfile", "Sound", "System"]),
        .testTarget(
            name: "JournalTests",
            dependencies: ["Journal", "SimulatedDevices", "Mocks", "Oracles", "appender", "System"]),

        .target(
            name: "Fixtures",
            dependencies: [
                "API", "ControlServer", "Service", "Engine", "Alarms", "AlsaSpeaker", "CivilTime", "Devices", "Health",
                "Journal", "Mocks", "SimulatedDevices", "JSON", "EventLoop", "Sound", "Oracles", "System", "Text",
            ], path: "Tests/Fixtures"),
        .testTarget(name: "APITests", dependencies: ["API", "Alarms", "Clients", "Engine", "JSON", "Oracles", "Text"]),
        .testTarget(name: "WebAPITests", dependencies: ["WebAPI", "API", "Engine", "HTTP", "JSON"]),
        .testTarget(name: "WebServerTests", dependencies: ["WebServer", "EventLoop", "Fixtures", "HTTP", "System"]),
        .testTarget(
            name: "ControlServerTests",
            dependencies: [
                "ControlServer", "Clients", "CodeReading", "Service", "Fixtures", "Engine", "Alarms", "Devices",
                "Mocks",
                "SimulatedDevices",
                "Oracles", "JSON", "Sound", "API", "System", "CivilTime", "AlsaSpeaker", "Text",
            ]),
        .testTarget(
            name: "roosterWebTests",
            dependencies: [
                "rooster-web", "API", "Clients", "ControlServer", "Engine", "EventLoop", "Fixtures", "HTTP", "JSON",
                "Oracles",
                "Service", "Sound", "System", "Text", "WebAPI", "WebServer",
            ],
            exclude: [
                "bedside_page.py", "browser_rules.py", "openapi_oracle.py", "page_alarms.py", "page_browser.py",
                "page_checks.py", "page_codes.py",
                "page_fixture.py", "page_hardship.py", "page_ringing.py", "page_scenarios.py", "page_screens.py",
                "page_tests.py", "schemathesis.toml",
            ]),
        .testTarget(
            name: "ServiceTests",
            dependencies: [
                "Service", "Fixtures", "Engine", "Alarms", "AlsaSpeaker", "CivilTime", "Devices", "Health", "Journal",
                "LinuxDevices", "SimulatedDevices", "Mocks", "Oracles", "EventLoop", "Sound",
            ]),
        .target(
            name: "ScriptedService", dependencies: ["Oracles", "JSON", "API", "System"], path: "Tests/ScriptedService"),
        // The tests of rooster are three targets, which are compiled side by side: they are the last of a build.
        .testTarget(
            name: "roosterWordsTests",
            dependencies: ["rooster", "Alarms", "CivilTime", "ScriptedService", "Oracles", "JSON", "API", "Devices"],
            path: "Tests/roosterTests/Words"),
        .testTarget(
            name: "roosterProgramTests",
            dependencies: [
                "rooster", "roosterd", "rooster-camera", "CodeSheets", "Journal", "ScriptedService", "SheetPictures",
                "Oracles",
                "JSON",
            ],
            path: "Tests/roosterTests/Program"),
        .testTarget(
            name: "roosterServiceTests",
            dependencies: [
                "rooster", "Alarms", "CodeSheets", "ControlServer", "Fixtures", "ScriptedService", "Service", "Oracles",
                "JSON",
                "Sound", "API", "System",
            ], path: "Tests/roosterTests/Service"),
        .testTarget(name: "ConfigurationTests", dependencies: ["Configuration", "Devices", "Oracles", "Text"]),
        .testTarget(
            name: "roosterdTests",
            dependencies: [
                "roosterd", "Fixtures", "Alarms", "CivilTime", "Configuration", "Devices", "Service", "Oracles", "JSON",
                "EventLoop", "Sound", "System",
            ]),

        .target(
            name: "Fuzzing",
            dependencies: [
                "Alarms", "CivilTime", "Devices", "Journal", "CodeReading", "SimulatedDevices", "JSON", "API", "HTTP",
            ],
            path: "Tests/Fuzzing"
        ),
        .systemLibrary(name: "CLibFuzzer", path: "Tests/Fuzz/CLibFuzzer"),
        .executableTarget(
            name: "fuzz", dependencies: ["Fuzzing", "CLibFuzzer"], path: "Tests/Fuzz",
            exclude: ["CLibFuzzer", "corpus", "dictionaries"]),
        .testTarget(name: "FuzzingTests", dependencies: ["Fuzzing", "Oracles"]),
        .testTarget(name: "DocumentsTests", dependencies: ["Records"]),
    ],
    cxxLanguageStandard: .cxx17
)
