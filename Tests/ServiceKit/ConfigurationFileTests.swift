import Foundation
import Stack
import TestKit
import Testing
import Transport

@testable import ServiceKit

private let settings = [
  Setting("name", fallback: "nobody", "A text."),
  Setting("keys-file", "A text without a fallback."),
  Setting("auth-secret", isSecret: true, "A secret."),
  Setting("level", .choice(["low", "high"]), fallback: "low", "A word."),
  Setting.task("clean", "A task."),
]

private let unknown = "The configuration file has an unknown setting; --check names it."

/// A configuration file that a test changes under whoever was started with it.
private struct ChangedFile {
  let path = NSTemporaryDirectory() + "muster-configuration-\(UUID().uuidString)"

  init(_ text: String) throws { try write(text) }

  func write(_ text: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
  }

  func remove() { try? FileManager.default.removeItem(atPath: path) }

  /// What a start with these flags and variables has read.
  func read(_ arguments: [String] = [], _ environment: [String: String] = [:]) throws
    -> ConfigurationFile
  {
    let request = try Configuration.read(
      settings, arguments: arguments + ["--config", path], environment: environment)
    guard case .run(let configuration) = request, let file = configuration.file else {
      throw ConfigurationError("It has no file.")
    }
    return file
  }
}

/// What a process says of a configuration file that was changed after its start.
@Suite("Configuration files", .endsAtLast)
struct ConfigurationFileTests {
  @Test(
    "the settings are named of which a start would find other values",
    arguments: [
      ("# another comment\n\n name=ada\nkeys-file = /keys\n", []),
      ("keys-file = /keys\nname = ada\n", []),
      ("name = ben\nkeys-file = /keys\n", ["name"]),
      ("name = ada\n", ["keys-file"]),
      ("name = ada\nkeys-file = /keys\nauth-secret = hunter2\n", ["auth-secret"]),
      ("", ["keys-file", "name"]),
    ] as [(String, [String])])
  func names(_ text: String, _ names: [String]) throws {
    let changed = try ChangedFile("# a comment\nname = ada\nkeys-file = /keys\n")
    defer { changed.remove() }
    let file = try changed.read()
    #expect(file.look() == .same)
    try changed.write(text)
    let wanted: ConfigurationFile.Look = names.isEmpty ? .same : .changed(names)
    #expect(file.look() == wanted)
  }

  @Test("a line whose value is the fallback is as none, and one that is overruled changes nothing")
  func effective() throws {
    let changed = try ChangedFile("auth-secret = one\n")
    defer { changed.remove() }
    let plain = try changed.read()
    let flags = try changed.read(["--keys-file", "/flag"], ["MUSTER_AUTH_SECRET": "two"])
    try changed.write("auth-secret = one\nname = nobody\n")
    #expect(plain.look() == .same)
    try changed.write("auth-secret = three\nkeys-file = /keys\nname = ada\n")
    #expect(plain.look() == .changed(["auth-secret", "keys-file", "name"]))
    #expect(flags.look() == .changed(["name"]))
  }

  @Test("a file that no start could read is told of without a value, and a pipe not at all")
  func unreadable() throws {
    let changed = try ChangedFile("name = ada\n")
    defer { changed.remove() }
    let file = try changed.read()
    try changed.write("name = ada\nhunter2\n")
    #expect(file.look() == .unreadable("\(file.path), line 2: `name = value` is expected."))
    changed.remove()
    #expect(
      file.look() == .unreadable("The configuration file \(file.path) cannot be read."))
    let pipe = ConfigurationFile("/dev/null", ["name": "ada"], of: settings) { _ in false }
    #expect(pipe.look() == .same)
  }

  @Test(
    "lines that no start would take are told of by the names of settings, without what they say",
    arguments: [
      ("nmae = ada\n", unknown),
      ("auth-secret = hunter\nhunter==\n", unknown),
      ("level = hgih\n", "--level does not take its new value."),
      ("auth-secret = hunter 2\n", "--auth-secret does not take its new value."),
      ("clean = true\n", "--clean is said on the command line alone."),
      ("nmae = ada\nlevel = hgih\n", unknown + " --level does not take its new value."),
    ])
  func refused(_ text: String, _ reason: String) throws {
    let changed = try ChangedFile("name = ada\n")
    defer { changed.remove() }
    let file = try changed.read()
    try changed.write(text)
    #expect(file.look() == .unreadable(reason))
    #expect(throws: ConfigurationError.self, "a start takes it") { try changed.read() }
  }

  @Test("the value of a line that is overruled is not read by a start, nor by a look")
  func overruled() throws {
    let changed = try ChangedFile("level = low\n")
    defer { changed.remove() }
    let file = try changed.read(["--level", "high"])
    try changed.write("level = hgih\n")
    #expect(file.look() == .same)
    _ = try changed.read(["--level", "high"])
  }

  @Test("without a file there is none to look at")
  func none() throws {
    let request = try Configuration.read(settings, arguments: [], environment: [:])
    guard case .run(let configuration) = request else {
      throw ConfigurationError("It does not run.")
    }
    #expect(configuration.file == nil)
  }

  /// What the manager is told at the end of a reload, after the file was changed to this.
  private func told(after text: String) async throws -> String? {
    let changed = try ChangedFile("name = ada\n")
    defer { changed.remove() }
    let file = try changed.read()
    try changed.write(text)
    let socket = try NotifySocket()
    defer { socket.close() }
    let manager = try #require(
      ServiceManager(environment: ["NOTIFY_SOCKET": socket.name], process: 7))
    let thread = LoopThread(name: "renewal")
    await thread.run { loop in
      let reports = ManagerReports(on: loop, log: Log(source: "test"), manager: manager)
      let renewal = FileRenewal(on: loop, log: Log(source: "test"), reports: reports)
      renewal.addConfiguration(file)
      loop.keep(renewal)
      reports.ready(port: 7)
      renewal.renew()
    }
    await socket.received { $0.count == 3 }
    thread.stop()
    await thread.stopped()
    return socket.messages.last
  }

  @Test("the state of a reload has a changed or unreadable file, until it is as at the start")
  func state() async throws {
    let changed = try ChangedFile("name = ada\n")
    defer { changed.remove() }
    let file = try changed.read()
    let thread = LoopThread(name: "renewal")
    let (states, tell) = AsyncStream.makeStream(of: Bool.self)
    await thread.run { loop in
      let log = Log(source: "test")
      let reports = ManagerReports(on: loop, log: log, manager: nil)
      let renewal = FileRenewal(on: loop, log: log, reports: reports)
      renewal.onChange = { tell.yield($0.hasOtherConfiguration) }
      renewal.addConfiguration(file)
      loop.keep(renewal)
    }
    var all = states.makeAsyncIterator()
    for (text, isOther) in [("name = ben\n", true), ("name = ada\n", false), ("ada\n", true)] {
      try changed.write(text)
      await thread.run { $0.keptObject(FileRenewal.self)?.renew() }
      let told = await all.next()
      #expect(told == isOther)
    }
    thread.stop()
    await thread.stopped()
  }

  @Test("a reload tells the manager that the configuration has changed, and no value of it")
  func reloaded() async throws {
    let serving = "READY=1\nSTATUS=Serving on port 7."
    #expect(try await told(after: "# the same\nname = ada\n") == serving)
    let restart = " Its configuration has changed since the start: restart it to use that."
    #expect(try await told(after: "auth-secret = hunter2\n") == serving + restart)
    let unread = try await told(after: "hunter2\n")
    #expect(unread?.hasPrefix(serving + " No start could read its configuration file: ") == true)
    #expect(unread?.contains("hunter2") == false)
    for (secret, reason) in [
      ("hunter==", unknown), ("hunter2==", "is lowercase letters and hyphens."),
    ] {
      let wrapped = try await told(after: "auth-secret = hunter\n\(secret)\n")
      #expect(wrapped?.hasSuffix(reason) == true)
      #expect(wrapped?.contains("hunter") == false)
    }
  }
}
