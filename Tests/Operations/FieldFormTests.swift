import Catalog
import Operations
import Testing
import Wire

/// A gateway passes over fields whose types it does not know; each message says how.
struct FieldFormTests {
  private func check<M: Message>(_ type: M.Type) throws {
    guard case .message(_, let fields, _) = M.shape else { return }
    let forms = fields.map { FieldForm.of($0.shape) }
    var random = SystemRandomNumberGenerator()
    for _ in 0..<20 {
      var message = M.arbitrary(using: &random)
      var starts = FieldStarts()
      message.fields(&starts)
      let bytes = starts.writer.bytes
      for (place, start) in starts.starts.enumerated() {
        let reached = try Reader.read(bytes) { reader in
          reader.skip(fieldsOfForms: forms[..<place].flatMap { $0 })
          return reader.position
        }.get()
        #expect(reached == start, "\(M.name).\(fields[place].name)")
      }
      // The bytes end before the field, as an older peer's do.
      let isAtEnd = try Reader.read(Array(bytes[..<(starts.starts.last ?? 0)])) { reader in
        reader.skip(fieldsOfForms: forms.flatMap { $0 })
        return reader.isAtEnd
      }.get()
      #expect(isAtEnd, "\(M.name)")
    }
  }

  @Test func everyFieldOfEveryMessageIsReachedByPassingOverThoseBefore() throws {
    for entry in MessageCatalog.entries { try check(entry.message) }
  }

  /// Bytes that lie about their lengths end in a fault, not beyond the message.
  @Test func randomBytesArePassedOverOrRefused() {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<2_000 {
      let bytes = (0..<40).map { _ in UInt8.random(in: 0...3, using: &random) }
      let forms =
        FieldForm.of(.list(.optional(.list(.scalar("String"))))) + FieldForm.of(.identifier("X"))
      let reached = Reader.read(bytes) { reader in
        reader.skip(fieldsOfForms: forms)
        return reader.position
      }
      if case .success(let position) = reached { #expect(position <= bytes.count) }
    }
  }

  @Test func aNeedThatNamesNoFittingFieldTraps() async {
    await #expect(processExitsWith: .failure) {
      _ = FactKeySource(.fact(FetchFriends.self, at: .field("nobody")), in: SubmitScore.shape)
    }
    await #expect(processExitsWith: .failure) {
      _ = FactKeySource(.fact(FetchFriends.self, at: .field("board")), in: SubmitScore.shape)
    }
    await #expect(processExitsWith: .failure) {
      _ = FactKeySource(.fact(FetchFriends.self, at: .each("player")), in: SubmitScore.shape)
    }
  }

  @Test func onlyAReadOnlyOperationBetweenServicesThatBeginsWithItsKeyIsAFact() async {
    await #expect(processExitsWith: .failure) { _ = FactNeed.fact(AppendEvent.self, at: .caller) }
    await #expect(processExitsWith: .failure) { _ = FactNeed.fact(GetProfile.self, at: .caller) }
  }
}

private struct FieldStarts: FieldVisitor {
  var writer = Writer()
  var starts: [Int] = []

  mutating func field<Value: FieldValue>(_ name: StaticString, _ value: inout Value) {
    starts.append(writer.bytes.count)
    value.encode(to: &writer)
  }
}
