import Domain
import Operations
import RequestCore
import TestKit
import Testing
import Wire

@Suite struct InboxTests {
  let world = World()
  let anna: PlayerID
  let ben: PlayerID

  init() throws {
    anna = try world.player(1)
    ben = try world.player(2)
    try world.befriend(anna, ben)
  }

  @discardableResult
  func send(_ message: String = "Play") throws -> RequestID {
    let reply = try world.driver.call(SendRequest(to: [ben], message: message), as: anna)
    try world.driver.deliverOwnEffects()
    return reply.request
  }

  @Test("2.7 pages come newest first and miss nothing", arguments: [0, 1] as [Int64])
  func pages(step: Int64) throws {
    for number in 0..<25 {
      world.driver.clock += step
      try send("\(number)")
    }
    for _ in 0...1 {
      var inbox = Inbox()
      inbox.limit = 10
      var received: [ReceivedRequest] = []
      var sizes: [Int] = []
      repeat {
        let page = try world.driver.call(inbox, as: ben)
        received += page.requests
        sizes.append(page.requests.count)
        inbox.cursor = page.cursor
      } while !inbox.cursor.isEmpty
      #expect(sizes == [10, 10, 5])
      #expect(Set(received.map(\.request)).count == 25)
      if step > 0 { #expect(received.map(\.message) == (0..<25).reversed().map { "\($0)" }) }
      try world.restart()
    }
  }

  @Test("2.7 pages of large requests fit a frame")
  func largePages() throws {
    for _ in 0..<100 {
      var request = SendRequest(to: [ben])
      request.data = String(repeating: "\u{1F469}\u{200D}\u{1F469}\u{200D}\u{1F467}", count: 255)
      request.message = String(repeating: "m", count: RequestLimits.messageBytesMax)
      try world.driver.call(request, as: anna)
    }
    try world.driver.deliverOwnEffects()
    var inbox = Inbox()
    inbox.limit = 100
    let page = try world.driver.call(inbox, as: ben)
    #expect(page.encoded.count < WireLimits.frameSizeMax)
    #expect(!page.cursor.isEmpty)
    inbox.cursor = page.cursor
    let rest = try world.driver.call(inbox, as: ben)
    #expect(page.requests.count + rest.requests.count == 100)
  }

  @Test("2.7 bad limits and cursors are refused")
  func badPage() throws {
    for limit in [UInt32(0), 101] {
      var inbox = Inbox()
      inbox.limit = limit
      let failure = try failure { try world.driver.call(inbox, as: ben) }
      #expect(failure?.code == .invalidArgument && failure?.argument == "limit")
      #expect(failure?.text == "A page holds 1 to 100 requests.")
    }
    for cursor in ["x", String(repeating: "0", count: 51), String(repeating: "7", count: 52)] {
      var inbox = Inbox()
      inbox.cursor = cursor
      let failure = try failure { try world.driver.call(inbox, as: ben) }
      #expect(failure?.code == .invalidArgument && failure?.argument == "cursor")
    }
  }

  @Test(
    "2.7 reading leaves a request; the sender is told of the answer once", arguments: [true, false])
  func answer(accept: Bool) throws {
    let request = try send()
    for _ in 0...1 { #expect(try world.driver.call(Inbox(), as: ben).requests.count == 1) }
    let key = IdempotencyKey(instance: 9, counter: 1, floor: 1)
    try world.driver.call(AnswerRequest(request, accept: accept), as: ben, idempotency: key)
    try world.restart()
    try world.driver.call(AnswerRequest(request, accept: accept), as: ben, idempotency: key)
    try world.driver.deliverOwnEffects()
    try world.restart()
    try world.driver.deliverOwnEffects()
    let answers = try world.events(RequestAnswered.self, of: anna)
    #expect(answers.map(\.accepted) == [accept])
    #expect(answers.map(\.request) == [request] && answers.map(\.recipient) == [ben])
    #expect(try world.driver.call(Inbox(), as: ben).requests.isEmpty)

    let again = try failure {
      try world.driver.call(AnswerRequest(request, accept: !accept), as: ben)
    }
    #expect(again?.code == .notFound && again?.argument == "request")
    try world.driver.deliverOwnEffects()
    #expect(try world.events(RequestAnswered.self, of: anna).count == 1)
  }

  @Test("2.7 requests expire though their timer is lost, or later than the setting says")
  func lostTimer() throws {
    _ = try send()
    try world.restart(without: TimerRow.tableID)
    world.driver.clock += 60 * World.day
    world.driver.runTimers()
    try world.driver.deliverOwnEffects()
    #expect(try world.events(RequestExpired.self, of: anna).count == 1)

    _ = try send()
    try world.driver.deliverOwnEffects()
    try world.restart(settings: [.requestLifetime: 2])
    world.driver.clock += 2 * World.day
    world.driver.runTimers()
    try world.driver.deliverOwnEffects()
    #expect(try world.events(RequestExpired.self, of: anna).count == 2)
  }

  @Test("2.7 deleting tells nobody, and only the recipient can")
  func delete() throws {
    let request = try send()
    let stranger = try failure { try world.driver.call(DeleteRequest(request), as: anna) }
    #expect(stranger?.code == .notFound)
    let before = try world.stream(of: anna).count
    try world.driver.call(DeleteRequest(request), as: ben)
    try world.driver.deliverOwnEffects()
    #expect(try world.driver.call(Inbox(), as: ben).requests.isEmpty)
    #expect(try world.stream(of: anna).count == before)
    #expect(try failure { try world.driver.call(DeleteRequest(request), as: ben) } != nil)
  }

  @Test("2.7 requests expire after 60 days, and the sender is told once")
  func expiry() throws {
    let old = try send("old")
    world.driver.clock += World.day
    let young = try send("young")
    try world.restart()
    world.driver.clock += 59 * World.day - 1
    world.driver.runTimers()
    #expect(try world.driver.call(Inbox(), as: ben).requests.count == 2)
    world.driver.clock += 1
    // Too old from now on, even before the timer that removes it.
    #expect(try world.driver.call(Inbox(), as: ben).requests.map(\.request) == [young])
    let late = try failure { try world.driver.call(AnswerRequest(old, accept: true), as: ben) }
    #expect(late?.code == .notFound)
    world.driver.runTimers()
    try world.restart()
    world.driver.runTimers()
    try world.driver.deliverOwnEffects()
    let expired = try world.events(RequestExpired.self, of: anna)
    #expect(expired.map(\.request) == [old] && expired.map(\.recipient) == [ben])
  }

  @Test("2.7 how long requests wait is a setting")
  func setLifetime() throws {
    let world = World(settings: [.requestLifetime: 2])
    let (anna, ben) = (try world.player(1), try world.player(2))
    try world.befriend(anna, ben)
    try world.driver.call(SendRequest(to: [ben]), as: anna)
    try world.driver.deliverOwnEffects()
    world.driver.clock += 2 * World.day - 1
    try world.restart()
    #expect(try world.driver.call(Inbox(), as: ben).requests.count == 1)
    world.driver.clock += 1
    #expect(try world.driver.call(Inbox(), as: ben).requests.isEmpty)
  }

  @Test("2.9 2.7 requests of a player whom their recipient blocks are not seen, nor answered")
  func blockedSender() throws {
    let carl = try world.player(3)
    try world.befriend(carl, ben)
    let request = try send()
    try world.driver.call(SendRequest(to: [ben], message: "Carl's"), as: carl)
    try world.driver.deliverOwnEffects()
    try world.driver.call(BlockPlayer(anna), as: ben)
    try world.restart()
    var inbox = Inbox()
    inbox.limit = 1
    let page = try world.driver.call(inbox, as: ben)
    #expect(page.requests.map(\.sender) == [carl] && page.cursor.isEmpty)
    for accept in [true, false] {
      let answer = try failure {
        try world.driver.call(AnswerRequest(request, accept: accept), as: ben)
      }
      #expect(answer?.code == .notFound && answer?.argument == "request")
    }
    #expect(try failure { try world.driver.call(DeleteRequest(request), as: ben) } != nil)
    try world.driver.deliverOwnEffects()
    #expect(try world.events(RequestAnswered.self, of: anna).isEmpty)
    // To its sender it is one that nobody has answered.
    world.driver.clock += 60 * World.day
    world.driver.runTimers()
    try world.driver.deliverOwnEffects()
    #expect(try world.events(RequestExpired.self, of: anna).map(\.request) == [request])
  }

  @Test("2.8 2.9 a snapshot counts the requests that the list shows, none of a blocked sender's")
  func snapshot() throws {
    let carl = try world.player(3)
    try world.befriend(carl, ben)
    try send()
    try world.driver.call(SendRequest(to: [ben], message: "Come"), as: carl)
    try world.driver.deliverOwnEffects()
    #expect(try world.driver.call(ReadSnapshot(), as: ben).requests == 2)
    try world.driver.call(BlockPlayer(anna), as: ben)
    #expect(try world.driver.call(Inbox(), as: ben).requests.map(\.sender) == [carl])
    #expect(try world.driver.call(ReadSnapshot(), as: ben).requests == 1)
  }

  @Test("2.9 a sender is not told of answers of a player whom the sender blocks", arguments: 0...1)
  func blockedRecipient(isUnderWay: Int) throws {
    let request = try send()
    if isUnderWay == 1 {
      try world.driver.call(AnswerRequest(request, accept: true), as: ben)
      try world.driver.call(BlockPlayer(ben), as: anna)
    } else {
      try world.driver.call(BlockPlayer(ben), as: anna)
      try world.driver.deliverOwnEffects()
      try world.driver.call(AnswerRequest(request, accept: true), as: ben)
    }
    try world.driver.deliverOwnEffects()
    #expect(try world.events(RequestAnswered.self, of: anna).isEmpty)
    #expect(try world.driver.call(Inbox(), as: ben).requests.isEmpty)
    try world.driver.call(UnblockPlayer(ben), as: anna)
    try world.driver.deliverOwnEffects()
    #expect(try world.events(RequestAnswered.self, of: anna).isEmpty)
  }

  @Test("2.7 one step expires a bounded number")
  func boundedExpiry() throws {
    for _ in 0..<100 { try send() }
    world.driver.clock += 61 * World.day
    while world.driver.effects.isEmpty { world.driver.runTimers(atMost: 1) }
    #expect(world.driver.effects.count == 64)
    world.driver.runTimers()
    #expect(world.driver.effects.count == 100)
    try world.driver.deliverOwnEffects()
    #expect(try world.events(RequestExpired.self, of: anna).count == 100)
  }
}
