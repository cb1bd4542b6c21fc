import Catalog
import Domain
import Foundation
import Synchronization
import Wire

// The fuzzer's target: everything that decodes bytes from a peer or from a store. An input's first
// byte says what its rest is: 0 to 3 one message of the catalog, 4 a stream of frames, 5 row
// changes, 6 an envelope with an operation behind it.
//
// Besides not crashing, what was accepted must be stable: encoded again it decodes to the same
// bytes.

@c(LLVMFuzzerTestOneInput)
public func fuzzOne(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = unsafe [UInt8](UnsafeBufferPointer(start: start, count: count))
  guard let kind = bytes.first else { return 0 }
  if FuzzTargets.hasCanary { FuzzTargets.canary(bytes) }
  switch kind {
  case 4: FuzzTargets.frames(Array(bytes.dropFirst()))
  case 5: FuzzTargets.rowChanges(Array(bytes.dropFirst()))
  case 6: FuzzTargets.envelopes(Array(bytes.dropFirst()))
  default: FuzzTargets.message(bytes)
  }
  return 0
}

private enum FuzzTargets {
  /// With `CANARY=1` the target has a planted defect, which a fuzzer that works finds in seconds.
  static let hasCanary: Bool = {
    guard let value = unsafe getenv("CANARY") else { return false }
    return unsafe value.pointee == UInt8(ascii: "1")
  }()

  static let entries: [[UInt8]: CatalogEntry] = Dictionary(
    uniqueKeysWithValues: MessageCatalog.entries.map { ($0.fuzzPrefix, $0) })

  /// How often the canary was approached. Counting keeps the optimizer from folding the comparisons
  /// into one, so that the fuzzer sees each step that it comes closer.
  static let steps = Atomic<Int>(0)

  static func canary(_ bytes: [UInt8]) {
    guard bytes.count > 4 else { return }
    if bytes[1] != UInt8(ascii: "b") { return }
    steps.add(1, ordering: .relaxed)
    if bytes[2] != UInt8(ascii: "i") { return }
    steps.add(1, ordering: .relaxed)
    if bytes[3] != UInt8(ascii: "r") { return }
    fatalError("the canary was found")
  }

  static func message(_ bytes: [UInt8]) {
    guard bytes.count >= 3 else { return }
    let all = MessageCatalog.entries
    let chosen =
      entries[Array(bytes[..<3])] ?? all[(Int(bytes[1]) << 8 + Int(bytes[2])) % all.count]
    stable(Array(bytes[3...]), chosen.recoded)
  }

  static func stable(
    _ bytes: [UInt8], _ recoded: ([UInt8]) throws(WireError) -> [UInt8]
  ) {
    guard let first = try? recoded(bytes) else { return }
    guard let second = try? recoded(first) else {
      preconditionFailure("our own bytes are refused")
    }
    precondition(first == second, "encoding is not stable")
  }

  /// Frames one after the other, as a connection takes them; each parsed from every shorter prefix
  /// too.
  static func frames(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while true {
      let parse = parse(rest)
      for cut in 0..<min(rest.count, 16) {
        if case .frame(_, let bodyCount) = Self.parse(rest.prefix(cut)) {
          precondition(
            bodyCount + WireLimits.frameHeaderSize <= cut, "a frame longer than its bytes")
        }
      }
      guard case .frame(let header, let bodyCount) = parse else { return }
      let size = WireLimits.frameHeaderSize + bodyCount
      precondition(size <= rest.count && size <= WireLimits.clientFrameSizeMax)
      let frame = Array(rest.prefix(size))
      precondition(
        header.frame(body: Array(frame[WireLimits.frameHeaderSize...])) == frame,
        "a frame is written otherwise than it was read")
      rest = rest.dropFirst(size)
    }
  }

  static func parse(_ bytes: ArraySlice<UInt8>) -> FrameParse {
    unsafe bytes.withUnsafeBytes {
      unsafe FrameHeader.parse($0, sizeMax: WireLimits.clientFrameSizeMax)
    }
  }

  static func rowChanges(_ bytes: [UInt8]) {
    guard let changes = try? RowChanges(bytes: bytes).decoded() else { return }
    for change in changes {
      precondition(change.key.count == change.keyCount)
      for table in tables where table.id == change.table && change.kind == .put {
        guard let cells = try? table.cells(change.bytes) else { continue }
        guard let row = table.row(cells) else { preconditionFailure("a row without its cells") }
        precondition((try? table.cells(row)) == cells || hasNaN(cells), "cells are not stable")
      }
    }
  }

  static let tables = Engine.tables(of: NoCore.self)

  static func hasNaN(_ cells: [Cell]) -> Bool {
    cells.contains { cell in
      if case .real(let value) = cell { return value.isNaN }
      return false
    }
  }

  static func envelopes(_ bytes: [UInt8]) {
    func check<E: Message>(_ type: E.Type) {
      stable(bytes) { (bytes: [UInt8]) throws(WireError) -> [UInt8] in
        let (envelope, operation) = try unsafe Enveloped.split(type, bytes.span.bytes)
        return Enveloped.join(envelope, operation)
      }
    }
    check(ClientEnvelope.self)
    check(ServiceEnvelope.self)
    check(PushEnvelope.self)
  }
}

/// A service of nothing: its tables are the engine's own.
private final class NoCore: ServiceCore {
  static let service = Service.context
  let router = Router()
  let settings: SettingValues
  init(settings: SettingValues) { self.settings = settings }
  func register(_ tables: inout Tables) {}
}
