import Domain
import Foundation
import Storage
import StoreRounds
import TestKit
import Testing
import Wire

/// A real file system that runs full.
@Suite(.serialized, .endsAtLast)
struct FullDiskTests {
  @Test(.enabled(if: SmallDisk.isPossible, "a small file system cannot be mounted here"))
  func aFullDiskRefusesAndRecovers() throws {
    let disk = try #require(SmallDisk())
    defer { disk.unmount() }
    let ballast = "\(disk.path)/ballast"
    try Data(count: 400 << 10).write(to: URL(fileURLWithPath: ballast))
    let path = "\(disk.path)/store"
    func open() throws -> SQLiteStore {
      try SQLiteStore(
        directory: path, name: "full", tables: sampleTables,
        options: SQLiteOptions(createIfMissing: true))
    }
    var store = try open()
    var model = Model()
    func next() -> Batch {
      batch(model.lastBatch + 1) { changes in
        var row = AttemptRow(.init(player: 1, number: Int64(model.lastBatch % 40)), value: 1)
        let byte = UInt8(truncatingIfNeeded: model.lastBatch)
        row.body = Bytes([UInt8](repeating: byte, count: 20_000))
        changes.put(row)
      }
    }
    var isFull = false
    while !isFull {
      do {
        try store.commit(next(), time: 1)
        try model.apply(next(), time: 1)
        if model.lastBatch % 5 == 0 { _ = try store.fold() }
      } catch StoreError.full {
        isFull = true
      }
    }
    #expect(model.lastBatch > 5)
    #expect(try model.difference(from: store, sampleTables) == nil)
    // A store can be opened and read on a full disk.
    store.close()
    store = try open()
    #expect(try model.difference(from: store, sampleTables) == nil)
    try FileManager.default.removeItem(atPath: ballast)
    try store.commit(next(), time: 1)
    try model.apply(next(), time: 1)
    while try store.fold() {}
    #expect(try model.difference(from: store, sampleTables) == nil)
    store.close()
  }
}

/// A file system of 1 MiB in memory; mounting it needs privileges.
struct SmallDisk {
  let path: String

  static let isPossible: Bool = {
    guard let disk = SmallDisk() else { return false }
    disk.unmount()
    return true
  }()

  init?() {
    path = "\(NSTemporaryDirectory())/muster-small-\(UInt64.random(in: .min ... .max))"
    try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    guard Self.run("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", path) else {
      try? FileManager.default.removeItem(atPath: path)
      return nil
    }
  }

  func unmount() {
    _ = Self.run("umount", path)
    try? FileManager.default.removeItem(atPath: path)
  }

  private static func run(_ arguments: String...) -> Bool {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = arguments
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }
}
