import Catalog
import Foundation
import Operations
import Testing
import Wire

struct CatalogTests {
  /// A message that is missing from the list would have neither golden bytes nor a description.
  @Test func theListIsWhatTheSourcesDeclare() throws {
    try Committed(path: "Tests/Catalog/MessageCatalog+List.swift")
      .expect(Sources().list, isCompiled: true)
  }

  /// What is asked of every service is asked of this list's.
  @Test func theCoresAreThoseOfTheServices() throws {
    try Committed(path: "Tests/Catalog/ServiceCores.swift")
      .expect(Sources().cores, isCompiled: true)
  }

  @Test func opcodesAreUniqueAndNotRetired() {
    let opcodes = MessageCatalog.entries.filter { $0.place != .reply }.compactMap(\.opcode)
    #expect(Set(opcodes).count == opcodes.count)
    for opcode in opcodes {
      #expect(!MessageCatalog.retiredOpcodes.contains(opcode.rawValue), "\(opcode) is retired")
      #expect(opcode.service != nil, "\(opcode) is of no service")
    }
  }

  /// Operations below 0xA0, events from there, what processes answer themselves from 0xF0.
  @Test func opcodesKeepToTheirRanges() {
    for operation in MessageCatalog.operations {
      let number = operation.opcode.rawValue & 0xFF
      #expect(number > 0 && number < 0xA0, "\(operation)")
    }
    for event in MessageCatalog.events {
      #expect((0xA0..<0xF0).contains(event.opcode.rawValue & 0xFF), "\(event)")
    }
    for number in [Control.describe, Control.channelClosed, Control.status] {
      #expect(number >= 0xF0)
    }
  }

  @Test func namesAreUnique() {
    let names =
      MessageCatalog.operations.map { $0.name } + MessageCatalog.events.map { $0.name }
      + MessageCatalog.frameParts.map { $0.name }
    #expect(Set(names).count == names.count)
  }

  /// The gateway finds the key at the front of the body, so the field must be there.
  @Test func theFirstFieldFitsTheRouting() {
    for operation in MessageCatalog.operations {
      guard case .message(_, let fields, _) = operation.shape else { continue }
      switch operation.routing {
      case .principal, .fresh, .game: break
      case .firstIdentifier, .pair:
        guard case .identifier? = fields.first?.shape else {
          Issue.record("\(operation) begins with no identifier")
          continue
        }
      case .firstName:
        #expect(fields.first?.shape == .scalar("String"), "\(operation) begins with no name")
      }
    }
  }

  @Test func randomMessagesRoundTrip() {
    func check<M: Message>(_ type: M.Type) {
      var random = SystemRandomNumberGenerator()
      for _ in 0..<50 {
        let message = M.arbitrary(using: &random)
        #expect((try? M(decoding: message.encoded)) == message)
      }
      #expect((try? M(decoding: [])) == M())
    }
    for entry in MessageCatalog.entries { check(entry.message) }
  }
}
