import Domain
import Foundation
import TestKit
import Testing
import Wire

@testable import ServiceKit

/// The list of erased players, which outlives stores (rule 7.3).
struct ErasedListTests {
  private func withTemporaryDirectory(_ body: (String) throws -> Void) throws {
    let path = NSTemporaryDirectory() + "muster-erased-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: path) }
    try body(path)
  }

  private func erasure(_ number: UInt64) -> Erasure {
    Erasure(of: .sample(number), as: .sample(1000 + number))
  }

  @Test("7.3 the list has everybody who was added, in order")
  func order() throws {
    try withTemporaryDirectory { directory in
      let list = ErasedList(path: "\(directory)/erased")
      #expect(try list.load() == [])
      #expect(FileManager.default.fileExists(atPath: "\(directory)/erased"))
      for number in 1...3 { try list.append(erasure(UInt64(number))) }
      #expect(try list.load() == [erasure(1), erasure(2), erasure(3)])
    }
  }

  @Test("7.3 a look says whether the list is there, and makes none")
  func look() throws {
    try withTemporaryDirectory { directory in
      let list = ErasedList(path: "\(directory)/erased")
      #expect(try !list.look())
      #expect(try !list.look(), "the first look has made it")
      _ = try list.load()
      try list.append(erasure(1))
      #expect(try list.look())
      #expect(throws: SystemFault.self) { try ErasedList(path: "\(directory)/none/erased").look() }
    }
  }

  @Test("7.3 a record that was cut short anywhere hides none behind it")
  func torn() throws {
    try withTemporaryDirectory { directory in
      for cut in 1..<ErasedList.recordBytes {
        let path = "\(directory)/\(cut)"
        let list = ErasedList(path: path)
        _ = try list.load()
        try list.append(erasure(1))
        try list.append(erasure(2))
        #expect(unsafe truncate(path, 2 * ErasedList.recordBytes - cut) == 0)
        try list.append(erasure(3))
        #expect(try list.load() == [erasure(1), erasure(3)])
      }
    }
  }

  @Test("7.3 a list that was lost since the start takes nobody, until it is put back")
  func lost() throws {
    try withTemporaryDirectory { directory in
      let path = "\(directory)/erased"
      let list = ErasedList(path: path)
      _ = try list.load()
      try list.append(erasure(1))
      try FileManager.default.moveItem(atPath: path, toPath: "\(path).away")
      #expect(throws: SystemFault.self) { try list.append(erasure(2)) }
      #expect(!FileManager.default.fileExists(atPath: path), "a new list would hide the loss")
      try FileManager.default.moveItem(atPath: "\(path).away", toPath: path)
      try list.append(erasure(2))
      #expect(try list.load() == [erasure(1), erasure(2)])
    }
  }

  @Test("7.3 a list that cannot be read or written is no empty one, and shows at the start")
  func fault() throws {
    try withTemporaryDirectory { directory in
      let path = "\(directory)/missing/erased"
      #expect(throws: SystemFault.self) { try ErasedList(path: path).load() }
      #expect(throws: SystemFault.self) { try ErasedList(path: directory).load() }
      #expect(throws: SystemFault.self) { try ErasedList(path: directory).append(erasure(1)) }
      #expect(throws: SystemFault.self) { try ErasedList(path: "/dev/full").append(erasure(1)) }
    }
  }
}
