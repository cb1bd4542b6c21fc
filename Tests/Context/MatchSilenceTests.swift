import Domain
import MusterKit
import Operations
import TestKit
import Testing
import Wire

@testable import ContextCore

/// Receivers who take data and acknowledge none, and senders who would make others look so.
@Suite struct MatchSilenceTests {
  /// Milliseconds after which the rest of the grace time begins to run.
  static let silence: Int64 = 10_000

  func bytes(_ number: Int) -> [UInt8] { UInt64(number).keyBytes }

  @Test("3.9 one of three reads and never acknowledges: the others exchange 10,000 messages")
  func silentReader() throws {
    let world = try MatchClients(seed: 1, count: 3)
    world.acknowledgesAtOnce = false
    world.clients[cho]?.isSilent = true
    var (sent, seconds, heldUp) = ([ann: 0, ben: 0], 0, 0)
    while sent != [ann: 10_000, ben: 10_000], seconds < 200 {
      for player in [ann, ben] {
        for _ in 0..<500 where sent[player, default: 0] < 10_000 {
          let refused = failure { try world.send(bytes(sent[player] ?? 0), from: player) }
          if let refused {
            #expect(refused.code == .backpressure)
            heldUp += 1
            break
          }
          sent[player, default: 0] += 1
        }
      }
      for _ in 0..<10 {
        try world.deliver()
        for player in [ann, ben] { try world.acknowledge(player) }
        world.driver.pass(Int64(ContextLimits.matchReceiptMilliseconds))
      }
      try world.passSecond()
      seconds += 1
    }
    #expect(heldUp > 0, "the silent one never held up the others, so nothing was tested")
    #expect(seconds < 60)
    for (player, other) in [(ann, ben), (ben, ann)] {
      let received = world.clients[player]?.receivedFrom[other] ?? []
      #expect(received.count == 10_000)
      #expect(received == (0..<10_000).map(bytes))
      #expect(world.clients[player]?.exchange.state(of: cho) == .left)
    }
    try world.passSecond()
    for _ in 0..<10 { try world.passSecond() }
    #expect(world.clients[cho]?.isEnded == true)
    #expect(world.clients[cho]?.exchange.players == [ann, ben], "who knows that they play on")
  }

  /// A match of the core in which one piece has gone from ann to ben.
  struct World {
    let driver: ContextDriver
    let context: ContextID
    let incarnation: UInt64

    init(sequence: UInt64 = 1, graceSeconds: Int = 30) throws {
      driver = ContextDriver(settings: [.matchGrace: graceSeconds])
      context = try driver.matched([ann, ben, cho])
      for player in [ann, ben] {
        try driver.join(context, as: player, session: player.low, seat: 10 + player.low)
      }
      incarnation = try driver.join(context, as: cho, session: 3, seat: 13).incarnation
      try send(sequence)
    }

    func send(_ sequence: UInt64, from player: PlayerID = ann, to receivers: UInt16 = 2) throws {
      var data = SendMatchData()
      data.context = context
      data.incarnation = incarnation
      data.roster = 100
      data.seat = 10 + player.low
      data.receivers = receivers
      data.isReliable = true
      data.sequence = sequence
      try driver.call(data, as: player, session: player.low)
    }

    func acknowledge(_ through: UInt64, seat: UInt64 = 12) throws {
      var operation = AcknowledgeMatchData()
      operation.context = context
      operation.incarnation = incarnation
      operation.seat = seat
      operation.receipts = [MatchReceipt(place: 0, seat: 11, through: through)]
      try driver.call(operation, as: ben, session: 2)
    }

    /// Time passes in which all three join again, as clients do.
    func pass(_ milliseconds: Int64, benSeat: UInt64 = 12) throws {
      for _ in 0..<milliseconds / 1000 {
        driver.pass(1000)
        for (player, seat) in [(ann, 11), (ben, benSeat), (cho, 13)] as [(PlayerID, UInt64)] {
          let refused = failure {
            try driver.join(context, as: player, session: player.low, seat: seat, number: 1)
          }
          #expect(refused == nil || player == ben)
        }
      }
    }

    var isIn: Bool { driver.core.matches.table[context]?.seat(of: ben)?.state == .joined }
  }

  @Test("3.9 who acknowledges nothing is out when the grace time is over, and not before")
  func out() throws {
    let world = try World()
    let grace = world.driver.core.settings[.matchGrace]
    try world.pass(grace - 1000)
    #expect(world.isIn)
    world.driver.pushes = []
    try world.pass(5000)
    #expect(!world.isIn)
    let told = try world.driver.takePushes(MatchPlayerChanged.self)
    #expect(Set(told.filter { $0.event.player == ben }.map(\.session)) == [1, 3])
    #expect(told.last { $0.event.player == ben }?.event.state == .left)
    #expect(failure { try world.acknowledge(1) }?.code == .matchEnded)
  }

  @Test("3.9 who acknowledges late, or is sent nothing, stays")
  func late() throws {
    let world = try World()
    try world.pass(25_000)
    try world.acknowledge(1)
    try world.pass(60_000)
    #expect(world.isIn)
    try world.send(2)
    try world.pass(25_000)
    // An acknowledgement that moves nothing is none.
    for through in [1, 0] as [UInt64] { try world.acknowledge(through) }
    try world.pass(10_000)
    #expect(!world.isIn)
  }

  @Test("3.9 who has acknowledged what was late is judged by what came after it")
  func silentAnew() throws {
    let world = try World()
    try world.pass(5000)
    try world.send(1, from: cho)
    try world.pass(11_000)
    try world.acknowledge(1)
    // By the first sender's data the time would be over after 30 seconds, by the second's after 35.
    try world.pass(16_000)
    #expect(world.isIn)
    try world.pass(7000)
    #expect(!world.isIn)
  }

  @Test("3.7 who has acknowledged all has the whole grace time when the connection is lost then")
  func lostAfterSilence() throws {
    let world = try World()
    try world.pass(12_000)
    try world.acknowledge(1)
    world.driver.close(session: 2)
    world.driver.pass(29_000)
    #expect(world.isIn)
    world.driver.pass(2000)
    #expect(!world.isIn)
  }

  @Test("3.9 nobody can make another one owe an acknowledgement by numbers that leave gaps")
  func gaps() throws {
    let world = try World(sequence: 2)
    for number in [5, 3, .max, 0] as [UInt64] { try world.send(number) }
    try world.pass(120_000)
    #expect(world.isIn)
    // What was acknowledged is not owed again.
    try world.send(1)
    try world.acknowledge(1)
    try world.send(1)
    try world.pass(120_000)
    #expect(world.isIn)
  }

  @Test("3.9 a gap that is filled late puts nobody out who acknowledges what comes")
  func lateFilledGap() throws {
    let world = try World()
    try world.acknowledge(1)
    for number in [3, 2] as [UInt64] { try world.send(number) }
    try world.acknowledge(3)
    try world.pass(120_000)
    #expect(world.isIn)
    // And what comes then is owed as before.
    try world.send(4)
    try world.pass(40_000)
    #expect(!world.isIn)
  }

  @Test("3.9 a sender is told what was counted, whatever else a receiver says")
  func poisonedReceipts() throws {
    for way in 0..<3 {
      let world = try World()
      var operation = AcknowledgeMatchData()
      operation.context = world.context
      operation.incarnation = world.incarnation
      operation.seat = 12
      operation.receipts = [MatchReceipt(place: 0, seat: 11, through: 1)]
      if way == 0 {
        operation.receipts.append(MatchReceipt(place: 0, seat: 11, through: .max))
      }
      world.driver.pushes = []
      try world.driver.call(operation, as: ben, session: 2)
      if way == 1 {
        try world.driver.join(
          world.context, as: ben, session: 2, seat: 12, number: 1,
          received: [MatchCursor(player: ann, seat: 11, through: 0)])
      }
      if way == 2 { try world.driver.join(world.context, as: ben, session: 2, seat: 99) }
      world.driver.pass(Int64(ContextLimits.matchReceiptMilliseconds))
      let told = try world.driver.takePushes(MatchDataAcknowledged.self)
      #expect(
        told.map(\.event.receipts) == [[MatchReceipt(place: 1, seat: 12, through: 1)]],
        "way \(way)")
    }
  }

  @Test("3.9 a sender who repeats what was acknowledged is told again")
  func toldAgain() throws {
    let world = try World()
    try world.acknowledge(1)
    world.driver.pass(Int64(ContextLimits.matchReceiptMilliseconds))
    world.driver.pushes = []
    try world.send(1)
    #expect(try world.driver.takePushes(MatchData.self).isEmpty)
    let told = try world.driver.takePushes(MatchDataAcknowledged.self)
    #expect(told.map(\.session) == [1] && told.first?.event.receipts.first?.through == 1)
    // Also a sender who comes back hears of it.
    world.driver.close(session: 1)
    world.driver.pushes = []
    try world.driver.join(world.context, as: ann, session: 1, seat: 11, number: 1)
    let again = try world.driver.takePushes(MatchDataAcknowledged.self)
    #expect(again.map(\.event.receipts) == [[MatchReceipt(place: 1, seat: 12, through: 1)]])
  }

  @Test("3.9 who acknowledges a piece every nine seconds of what comes sixty times a second is out")
  func slowAcknowledger() throws {
    let world = try World()
    var (sent, acknowledged): (UInt64, UInt64) = (1, 0)
    for second in 1...70 where world.isIn {
      for _ in 0..<8 {
        sent += 1
        try world.send(sent)
      }
      if second % 9 == 0 {
        acknowledged += 1
        try world.acknowledge(acknowledged)
      }
      try world.pass(1000)
    }
    #expect(!world.isIn)
  }

  @Test("3.9 who is some seconds behind all the time, and takes everything, stays")
  func behind() throws {
    let world = try World()
    for second in 1...120 as ClosedRange<UInt64> {
      try world.send(second + 1)
      if second > 6 { try world.acknowledge(second - 6) }
      try world.pass(1000)
    }
    #expect(world.isIn)
  }

  @Test("3.7 nobody is out for data that its sender does not send again")
  func notRepeated() throws {
    for isNewClient in [false, true] {
      let world = try World()
      for number in 2...3 as ClosedRange<UInt64> { try world.send(number) }
      try world.acknowledge(1)
      let seat: UInt64 = isNewClient ? 99 : 12
      world.driver.close(session: 2)
      try world.driver.join(world.context, as: ben, session: 2, seat: seat)
      try world.pass(120_000, benSeat: seat)
      #expect(world.isIn)
      // What comes much later is judged by itself.
      try world.send(isNewClient ? 1 : 2)
      try world.pass(8000, benSeat: seat)
      try world.acknowledge(isNewClient ? 1 : 2, seat: seat)
      try world.pass(60_000, benSeat: seat)
      #expect(world.isIn)
    }
  }

  @Test("3.9 who comes back for a moment each time has one grace time, not one for each")
  func moments() throws {
    let world = try World()
    var away: Int64 = 0
    for _ in 0..<6 where world.isIn {
      world.driver.close(session: 2)
      for _ in 0..<28 {
        world.driver.pass(1000)
        for (player, seat) in [(ann, 11), (cho, 13)] as [(PlayerID, UInt64)] {
          _ = failure {
            try world.driver.join(
              world.context, as: player, session: player.low, seat: seat, number: 1)
          }
        }
      }
      away += 28
      guard world.isIn else { break }
      try world.driver.join(world.context, as: ben, session: 2, seat: 12, number: 1)
      try world.send(1)
    }
    #expect(!world.isIn && away <= 84)
  }

  @Test("3.5 a flood of reliable data is not passed on beyond a window; repeats are, now and then")
  func flood() throws {
    let world = try World()
    func flood(_ numbers: ClosedRange<UInt64>) throws -> Int {
      world.driver.pushes = []
      for number in numbers {
        var data = SendMatchData()
        data.context = world.context
        data.incarnation = world.incarnation
        (data.roster, data.seat, data.receivers) = (100, 11, 2)
        (data.isReliable, data.sequence) = (true, number)
        data.payload = Bytes([UInt8](repeating: 1, count: 60 << 10))
        try world.driver.call(data, as: ann, session: 1)
      }
      return try world.driver.takePushes(MatchData.self).count
    }
    #expect(try flood(2...400) == 3)
    #expect(try flood(2...400) == 1)
    try world.acknowledge(4)
    #expect(try flood(5...400) == 3)
    world.driver.pass(1000)
    #expect(try flood(5...400) == 1)
    for count in [1, 0] {
      world.driver.pass(1000)
      #expect(try flood(5...400) == count)
    }
  }

  @Test("3.9 a sender who is away cannot repeat its data, and does not count")
  func senderAway() throws {
    let world = try World()
    world.driver.close(session: 1)
    for _ in 0..<25 {
      world.driver.pass(1000)
      try world.driver.join(world.context, as: ben, session: 2, seat: 12, number: 1)
    }
    #expect(world.isIn)
    try world.driver.join(world.context, as: ann, session: 1, seat: 11, number: 1)
    try world.pass(5000)
    try world.acknowledge(1)
    try world.pass(60_000)
    #expect(world.isIn)
  }

  @Test("3.9 coming back again and again, or as another client, is no acknowledgement")
  func flapping() throws {
    for changesClient in [false, true] {
      let world = try World()
      var seat: UInt64 = 12
      for round in 0..<10 where world.isIn {
        try world.pass(4000, benSeat: seat)
        world.driver.close(session: 2)
        if changesClient { seat += 100 }
        _ = failure {
          try world.driver.join(world.context, as: ben, session: 2, seat: seat)
        }
        // The sender numbers anew for another client, and repeats.
        try world.send(1)
        #expect(world.isIn || round >= 6)
      }
      #expect(!world.isIn)
    }
  }

  @Test("3.9 who takes what comes after it came back stays, however short the grace time is")
  func shortGrace() throws {
    let world = try World(graceSeconds: 2)
    func pass(_ milliseconds: Int64) throws {
      for _ in 0..<milliseconds / 100 {
        world.driver.pass(100)
        try world.driver.join(world.context, as: cho, session: 3, seat: 13, number: 1)
      }
    }
    for number in 2...4 as ClosedRange<UInt64> { try world.send(number) }
    try pass(600)
    world.driver.close(session: 2)
    try world.driver.join(world.context, as: ben, session: 2, seat: 12, number: 1)
    // Of the data that was lost with the connection, one piece is all that is repeated.
    try world.send(1)
    try pass(1500)
    try world.acknowledge(1)
    try pass(4000)
    #expect(world.isIn)
  }

  @Test("3.7 what a client says after a restart that it has received is not owed any more")
  func restarted() throws {
    let world = try World()
    try world.send(2)
    try world.driver.restart()
    let reply = try world.driver.join(world.context, as: ann, session: 1, seat: 11, number: 1)
    try world.driver.join(world.context, as: cho, session: 3, seat: 13, number: 1)
    try world.driver.join(
      world.context, as: ben, session: 2, seat: 12, number: 1,
      received: [MatchCursor(player: ann, seat: 11, through: 2)])
    var data = SendMatchData()
    data.context = world.context
    data.incarnation = reply.incarnation
    (data.roster, data.seat, data.receivers) = (100, 11, 2)
    (data.isReliable, data.sequence) = (true, 2)
    try world.driver.call(data, as: ann, session: 1)
    // Clients acknowledge doubles, too.
    var operation = AcknowledgeMatchData()
    operation.context = world.context
    operation.incarnation = reply.incarnation
    operation.seat = 12
    operation.receipts = [MatchReceipt(place: 0, seat: 11, through: 2)]
    try world.driver.call(operation, as: ben, session: 2)
    try world.pass(60_000)
    #expect(world.isIn)
    data.sequence = 3
    try world.driver.call(data, as: ann, session: 1)
    try world.pass(40_000)
    #expect(!world.isIn)
  }
}
