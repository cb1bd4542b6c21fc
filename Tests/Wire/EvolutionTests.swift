import Domain
import Testing
import Wire

/// Peers of different ages: what one does not know is ignored, what one does not send is default,
/// at every level.
struct EvolutionTests {
  @Test func anOlderPeerIgnoresWhatIsNew() throws {
    var random = RandomSource.seeded(7)
    for _ in 0..<300 {
      let new = New.Root.arbitrary(using: &random)
      let old = try Old.Root(decoding: new.encoded)
      #expect(old.count == new.count)
      #expect(old.branch.leaf.name == new.branch.leaf.name)
      #expect(old.branch.leaves.map(\.name) == new.branch.leaves.map(\.name))
      #expect(old.maybe?.leaves.map(\.name) == new.maybe?.leaves.map(\.name))
    }
  }

  @Test func aNewerPeerTakesDefaultsForWhatIsMissing() throws {
    var random = RandomSource.seeded(8)
    for _ in 0..<300 {
      let old = Old.Root.arbitrary(using: &random)
      let new = try New.Root(decoding: old.encoded)
      #expect(new.count == old.count)
      #expect(new.branch.leaf.name == old.branch.leaf.name)
      #expect(new.branch.leaves.map(\.name) == old.branch.leaves.map(\.name))
      #expect(new.branch.leaf.height == 7)
      #expect(new.branch.leaves.allSatisfy { $0.height == 7 })
      #expect(new.branch.note == "none")
      #expect(new.maybe?.note == (old.maybe == nil ? nil : "none"))
      #expect(new.tail == [New.Leaf()])
    }
  }

  @Test func nothingAtAllIsADefaultMessage() throws {
    #expect(try Everything(decoding: []) == Everything())
    #expect(try New.Root(decoding: [0, 0, 0, 0]) == New.Root())
  }

  @Test func aFrozenMessageHasNoMissingTail() {
    #expect(throws: WireError.truncated) { try decoded([0, 0, 0, 1], as: Point.self) }
    #expect(throws: WireError.truncated) { try decoded([], as: Point.self) }
  }

  @Test func unknownValuesOfAnEnumerationSurvive() throws {
    let colour: Colour = try decoded([200])
    #expect(!colour.isKnown)
    #expect(colour.rawValue == 200)
    #expect(colour.description == "unknown(200)")
    #expect(encoded(colour) == [200])
    #expect(Colour.red.description == "red")
    #expect(Colour(named: "red") == .red)
    #expect(Colour(named: "blue") == nil)
    #expect(!Access.player.allows(PrincipalKind(rawValue: 255)))
  }

  @Test func everyFailureCodeHasAName() {
    #expect(Set(FailureCode.names).count == FailureCode.names.count)
    #expect(FailureCode.outOfOrder.description == "outOfOrder")
    #expect(FailureCode.limitReached.description == "limitReached")
    #expect(PrincipalKind.service.description == "service")
  }
}
