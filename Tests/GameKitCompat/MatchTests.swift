import Locking
import Foundation
@testable import MusterKit
import Synchronization
import Testing

@testable import GameKitCompat

extension GameKitTests {
  @MainActor
  final class MatchListener: GKMatchDelegate {
    enum Told: Equatable {
      case data([UInt8], String)
      case changed(String, GKPlayerConnectionState)
      case failed(FailureCode?)
    }

    private let told = AsyncStream.makeStream(of: Told.self)

    func next() async -> Told? {
      var iterator = told.stream.makeAsyncIterator()
      return await iterator.next()
    }

    func match(_ match: GKMatch, didReceive data: Data, fromRemotePlayer player: GKPlayer) {
      told.continuation.yield(.data(Array(data), player.displayName))
    }
    func match(_ match: GKMatch, player: GKPlayer, didChange state: GKPlayerConnectionState) {
      told.continuation.yield(.changed(player.displayName, state))
    }
    func match(_ match: GKMatch, didFailWithError error: (any Error)?) {
      told.continuation.yield(.failed((error as? GKError)?.failure))
    }
  }

  @MainActor
  @Suite("Matches", .serialized)
  struct MatchTests {
    let listener = MatchListener()
    let friend = GKPlayer(FakeClient.friend, displayName: "Friend")

    /// Finds a match with the friend, unless the request is changed. Whoever is invited comes.
    func find(_ change: (GKMatchRequest) -> Void = { _ in }) async -> Outcome<GKMatch> {
      let request = GKMatchRequest()
      request.recipients = [friend]
      change(request)
      var ended = MatchInviteEnded()
      (ended.invite, ended.context) = (MatchInviteID(high: 6, low: 6), FakeClient.context)
      (GameKit.client as? FakeClient)?.send(ended, 1)
      return await GameKitTests.outcome { handler in
        GKMatchmaker.shared().findMatch(for: request, withCompletionHandler: handler)
      }
    }

    @Test("3.2 Numbers of players are brought within their limits")
    func request() {
      let request = GKMatchRequest()
      #expect(request.defaultNumberOfPlayers == 2 && request.minPlayers == 2)
      (request.minPlayers, request.maxPlayers) = (0, .max)
      #expect(request.minPlayers == 2 && request.maxPlayers == 16)
    }

    @Test("3.2 Recipients and numbers are checked before anybody is invited")
    func recipients() async {
      let client = GameKitTests.client()
      #expect(await find { $0.recipients = [friend, friend] }.error?.argument == "recipients")
      let full = await find {
        $0.maxPlayers = 2
        $0.recipients = [friend, GKPlayer(FakeClient.stranger, displayName: "")]
      }
      #expect(full.error?.argument == "recipients")
      let many = await find {
        $0.recipients = nil
        ($0.minPlayers, $0.maxPlayers) = (5, 4)
      }
      #expect(many.error?.argument == "minPlayers")
      #expect(client.asked.isEmpty)
    }

    @Test("3.2 3.6 One friend is invited as several are, on the request's own terms")
    func oneFriend() async throws {
      let client = GameKitTests.client()
      var answered = MatchInviteAnswered()
      (answered.invite, answered.player) = (MatchInviteID(high: 6, low: 6), FakeClient.friend)
      answered.answer = .accepted
      client.send(answered, 1)
      var answers: [GKInviteRecipientResponse] = []
      let found = await find {
        ($0.maxPlayers, $0.defaultNumberOfPlayers, $0.inviteMessage) = (4, 3, "Come!")
        ($0.playerGroup, $0.playerAttributes, $0.properties) = (7, 0xff, ["skill": 1500])
        $0.recipientResponseHandler = { answers.append($1) }
      }
      #expect(found.value != nil && answers == [.accepted])
      let asked = try #require(client.asked.compactMap { $0 as? InvitePlayers }.first)
      #expect(asked.recipients == [FakeClient.friend] && asked.message == "Come!")
      #expect(asked.playerGroup == "7" && asked.criteria.playerAttributes == 0xff)
      #expect(asked.criteria.maxPlayers == 4 && asked.isAutomatching)
      #expect(asked.criteria.numbers == [TicketNumber("skill", 1500)])
    }

    @Test("3.2 3.6 Cancelling ends every search: the one that runs, and those after it")
    func cancelled() async {
      let client = GameKitTests.client { $0.holdsTickets = true }
      let (ends, end) = AsyncStream.makeStream(of: GKError.Code?.self)
      for _ in 1...2 {
        GKMatchmaker.shared().findMatch(for: GKMatchRequest()) { _, error in
          end.yield((error as? GKError)?.code)
        }
      }
      await client.heldTicket.next()
      GKMatchmaker.shared().cancel()
      var iterator = ends.makeAsyncIterator()
      #expect(await iterator.next() == .cancelled)
      #expect(await iterator.next() == .cancelled)
      #expect(client.asked.count { $0 is FindMatch } == 1)
    }

    @Test("3.2 With nobody named, or restricted to it, a ticket waits in the player group")
    func automatch() async {
      let client = GameKitTests.client()
      client.answers.withLock { answers in
        answers.ticketInfo.state = .matched
        answers.ticketInfo.context = FakeClient.context
      }
      let match = await find {
        $0.restrictToAutomatch = true
        ($0.playerGroup, $0.playerAttributes) = (7, 0xffff)
        ($0.minPlayers, $0.maxPlayers) = (3, .max)
      }
      #expect(match.value != nil)
      let asked = client.asked.compactMap { $0 as? FindMatch }.first
      #expect(asked?.playerGroup == "7" && asked?.criteria.playerAttributes == 0xffff)
      #expect(asked?.criteria.minPlayers == 3 && asked?.criteria.maxPlayers == 16)
      client.answers.withLock { answers in
        answers.ticketInfo.state = .expired
        answers.ticketInfo.hindrance = .attributes
      }
      #expect(await find { $0.recipients = nil }.error?.failure == .deadlineExceeded)
    }

    @Test("3.6 Several friends are invited, and who accepts is told by the invitation's end")
    func invited() async {
      let client = GameKitTests.client()
      client.answers.withLock { $0.ticketInfo.state = .cancelled }
      let found = await find {
        $0.minPlayers = 3
        $0.inviteMessage = "Come!"
      }
      #expect(found.value != nil)
      let asked = client.asked.compactMap { $0 as? InvitePlayers }.first
      #expect(asked?.recipients == [FakeClient.friend] && asked?.message == "Come!")
      #expect(asked?.isAutomatching == true)
    }

    @Test(
      "3.6 Strangers fill the seats that a request wants at first, and no others",
      arguments: [(2, 2, 1, false), (3, 2, 1, true), (2, 3, 1, true), (2, 3, 2, false)])
    func strangers(least: Int, atFirst: Int, invited: Int, isAutomatching: Bool) {
      let request = GKMatchRequest()
      (request.minPlayers, request.defaultNumberOfPlayers) = (least, atFirst)
      #expect(request.wants(moreThan: invited + 1) == isAutomatching)
    }

    @Test("3.2 The activity of a player group is what waits and what was matched of late")
    func activity() async {
      let client = GameKitTests.client()
      let activity = await GameKitTests.outcome {
        (handler: @escaping (Int?, (any Error)?) -> Void) in
        GKMatchmaker.shared().queryPlayerGroupActivity(9) { handler($0, $1) }
      }
      #expect(activity.value == 7)
      #expect(client.asked.compactMap { $0 as? QueueActivity }.first?.playerGroup == "9")
    }

    @Test("3.3 A match starts with nobody, and fills; 3.4 leaving is heard of")
    func roster() async throws {
      let client = GameKitTests.client()
      let match = try #require(await find().value)
      #expect(match.players.isEmpty && match.expectedPlayerCount == 1)
      match.delegate = listener
      client.seat.join(FakeClient.friend)
      #expect(await listener.next() == .changed("Friend", .connected))
      #expect(match.players == [friend] && match.expectedPlayerCount == 0)
      client.seat.leave(FakeClient.friend)
      #expect(await listener.next() == .changed("Friend", .disconnected))
      #expect(match.players.isEmpty)
    }

    private func findAny(_ client: FakeClient) async throws -> GKMatch {
      client.answers.withLock { answers in
        answers.ticketInfo.state = .matched
        answers.ticketInfo.context = FakeClient.context
      }
      return try #require(await find { $0.recipients = nil }.value)
    }

    @Test("3.2 3.3 A match that too few join fails, and the ticket by which one waits again ends")
    func tooFew() async throws {
      let client = GameKitTests.client()
      let match = try await findAny(client)
      match.delegate = listener
      client.seat.events.continuation.yield(.ended(.ended))
      #expect(await listener.next() == .failed(.matchEnded))
      for context in [ContextID(high: 8, low: 8), FakeClient.context] {
        var ended = JoiningEnded()
        (ended.context, ended.outcome) = (context, .tooFew)
        (ended.ticket, ended.playerGroup) = (MatchTicketID(high: 5, low: context.low), "7")
        var event = StreamEvent()
        (event.sequence, event.kind) = (context.low, JoiningEnded.opcode.rawValue)
        event.body = Bytes(ended.encoded)
        client.send(PlayerEvent(event))
      }
      var left = client.left.stream.makeAsyncIterator()
      await left.next()
      let cancelled = client.asked.compactMap { $0 as? CancelTicket }
      #expect(cancelled.map(\.ticket.low) == [9] && cancelled.map(\.playerGroup) == ["7"])
      match.disconnect()
    }

    @Test("3.7 3.9 Who is out of a match that goes on for others is told, unlike at its end")
    func out() async throws {
      for isOver in [false, true] {
        let client = GameKitTests.client()
        let match = try #require(await find().value)
        match.delegate = listener
        client.seat.join(FakeClient.friend)
        #expect(await listener.next() == .changed("Friend", .connected))
        if isOver {
          client.seat.leave(FakeClient.friend)
          #expect(await listener.next() == .changed("Friend", .disconnected))
        }
        client.seat.events.continuation.yield(.ended(.ended))
        client.seat.events.continuation.yield(.messageLost(from: FakeClient.friend))
        #expect(await listener.next() == .failed(isOver ? .limitReached : .matchEnded))
        if !isOver { #expect(await listener.next() == .failed(.limitReached)) }
        match.disconnect()
      }
    }

    @Test("3.2 3.4 Who leaves a found match leaves its context only before it begins")
    func leavesBefore() async throws {
      let client = GameKitTests.client()
      try await findAny(client).disconnect()
      var left = client.left.stream.makeAsyncIterator()
      await left.next()
      #expect(
        client.asked.compactMap { $0 as? LeaveContext }.map(\.context) == [FakeClient.context])
      #expect(await client.seat.nextAct() == .left)
      let begun = GameKitTests.client()
      let match = try await findAny(begun)
      match.delegate = listener
      begun.seat.join(FakeClient.friend)
      // Its name was not known when it was found.
      #expect(await listener.next() == .changed("Friend", .connected))
      #expect(match.players.map(\.displayName) == ["Friend"])
      begun.seat.leave(FakeClient.friend)
      match.disconnect()
      #expect(await begun.seat.nextAct() == .left)
      // Its watcher has ended, after the context was left or not.
      var closed = begun.closed.stream.makeAsyncIterator()
      await closed.next()
      #expect(!begun.asked.contains { $0 is LeaveContext })
    }

    @Test("3.4 A game that finishes has left its matches, and sent what it had")
    func finishes() async throws {
      let client = GameKitTests.client()
      let match = try await findAny(client)
      try match.sendData(toAllPlayers: Data([7]), with: .reliable)
      match.disconnect()
      await GameKit.finish()
      client.seat.acts.continuation.finish()
      var acts: [FakeSeat.Act] = []
      for await act in client.seat.acts.stream { acts.append(act) }
      #expect(acts == [.reliable([7], nil), .left])
    }

    @Test("3.9 A device whose seat another one of the player has taken leaves the context to it")
    func seatTaken() async throws {
      let client = GameKitTests.client()
      let match = try await findAny(client)
      match.delegate = listener
      client.seat.events.continuation.yield(.ended(.seatTaken))
      #expect(await listener.next() == .failed(.conflict))
      match.disconnect()
      await GameKit.finish()
      #expect(!client.asked.contains { $0 is LeaveContext })
    }

    @Test("3.4 A match that the game lets go of is left, and a game that finishes waits for that")
    func released() async throws {
      let client = GameKitTests.client()
      try await findAny(client).sendData(toAllPlayers: Data([7]), with: .reliable)
      await GameKit.finish()
      client.seat.acts.continuation.finish()
      var acts: [FakeSeat.Act] = []
      for await act in client.seat.acts.stream { acts.append(act) }
      #expect(acts == [.reliable([7], nil), .left])
    }

    @Test("2.8 A search and its match consume no event: who listens later hears of all")
    func consumesNothing() async throws {
      GKLocalPlayer.local.unregisterAllListeners()
      let client = GameKitTests.client()
      let invited = try #require(await find().value)
      let found = try await findAny(client)
      client.answers.withLock { answers in
        #expect(answers.eventWatchers.count == 3 && answers.cursors.isEmpty)
      }
      invited.disconnect()
      found.disconnect()
    }

    @Test("3.5 Data goes out in order, and leaving comes after it")
    func send() async throws {
      let client = GameKitTests.client()
      let match = try #require(await find().value)
      client.seat.join(FakeClient.friend)
      try match.sendData(toAllPlayers: Data([1]), with: .reliable)
      try match.sendData(toAllPlayers: Data([2]), with: .unreliable)
      try match.send(Data([3]), to: [friend], dataMode: .reliable)
      match.disconnect()
      #expect(await client.seat.nextAct() == .reliable([1], nil))
      #expect(await client.seat.nextAct() == .unreliable([2], nil))
      #expect(await client.seat.nextAct() == .reliable([3], [FakeClient.friend]))
      #expect(await client.seat.nextAct() == .left)
      #expect(throws: GKError.self) { try match.sendData(toAllPlayers: Data(), with: .reliable) }
    }

    @Test("3.6 The best host is nil while it is not known, and a rematch is a match of its own")
    func hostAndRematch() async throws {
      let client = GameKitTests.client()
      let match = try #require(await find().value)
      func host() async -> GKPlayer? {
        await withCheckedContinuation { done in
          match.chooseBestHostingPlayer { done.resume(returning: $0) }
        }
      }
      #expect(await host() == nil)
      client.seat.state.withLock { $0.host = FakeClient.friend }
      #expect(await host() == friend)
      let next = await GameKitTests.outcome { match.rematch(completionHandler: $0) }
      #expect(next.value?.players.isEmpty == true && next.value !== match)
      client.seat.state.withLock { $0.failure = MusterError(.notAllowed, "Nobody is here.") }
      let refused = await GameKitTests.outcome { match.rematch(completionHandler: $0) }
      #expect(refused.error?.failure == .notAllowed)
    }

    @Test("3.5 Data that cannot go is refused or told of")
    func refused() async throws {
      let client = GameKitTests.client()
      let match = try #require(await find().value)
      match.delegate = listener
      let long = Data(count: GKMatch.messageSizeMax + 1)
      #expect(throws: GKError.self) { try match.sendData(toAllPlayers: long, with: .reliable) }
      #expect(throws: GKError.self) {
        try match.send(Data([1]), to: [friend], dataMode: .reliable)
      }
      client.seat.state.withLock { $0.failure = MusterError(.backpressure, "Full.") }
      try match.sendData(toAllPlayers: Data([1]), with: .reliable)
      #expect(await listener.next() == .failed(.backpressure))
      client.seat.state.withLock { $0.isEnded = true }
      #expect(throws: GKError.self) {
        try match.sendData(toAllPlayers: Data([1]), with: .reliable)
      }
    }

    @Test("3.5 3.8 Data that was received begins where any number may: it is loaded as one")
    func aligned() async throws {
      for count in 1...64 {
        let data = Data(aligned: (0..<count).map { UInt8($0) })
        #expect(data == Data((0..<count).map { UInt8($0) }))
        // Its bytes are in one place, which copies share: they are not within the value.
        let copy = data
        let (place, other) = unsafe data.withUnsafeBytes { bytes in
          unsafe copy.withUnsafeBytes { others in
            (UInt(bitPattern: bytes.baseAddress), UInt(bitPattern: others.baseAddress))
          }
        }
        #expect(place % 8 == 0 && place == other)
      }
      let number = Int(-7)
      let bytes = unsafe withUnsafeBytes(of: number.bigEndian) { unsafe Data($0) }
      let loaded = unsafe Data(aligned: Array(bytes)).withUnsafeBytes {
        unsafe $0.load(as: Int.self).bigEndian
      }
      #expect(loaded == number)
      #expect(Data(aligned: []).isEmpty)
    }

    @Test("3.5 The receiver's method gets data too, once")
    func recipient() async throws {
      @MainActor final class Receiver: GKMatchDelegate {
        let told = Signal()
        var data: [(Data, GKPlayer)] = []
        func match(
          _ match: GKMatch, didReceive data: Data, forRecipient recipient: GKPlayer,
          fromRemotePlayer player: GKPlayer
        ) {
          self.data.append((data, recipient))
          told.yield()
        }
        func match(_ match: GKMatch, didReceive data: Data, fromRemotePlayer player: GKPlayer) {
          Issue.record("The other method has it.")
        }
      }
      let client = GameKitTests.client()
      let match = try #require(await find().value)
      let receiver = Receiver()
      match.delegate = receiver
      client.seat.events.continuation.yield(
        .data(from: FakeClient.friend, bytes: [9], isReliable: true))
      await receiver.told.next()
      #expect(receiver.data.map(\.0) == [Data([9])])
      #expect(receiver.data.first?.1 === GKLocalPlayer.local)
    }

    @Test("3.6 The other of a match of two is expected again, if the game says so")
    func reinvited() async throws {
      @MainActor final class Host: GKMatchDelegate {
        var asked: [GKPlayer] = []
        func match(_ match: GKMatch, shouldReinviteDisconnectedPlayer player: GKPlayer) -> Bool {
          asked.append(player)
          return true
        }
      }
      let client = GameKitTests.client()
      let match = try #require(await find().value)
      let host = Host()
      match.delegate = host
      client.seat.join(FakeClient.friend)
      client.seat.leave(FakeClient.friend)
      #expect(await client.seat.nextAct() == .added([FakeClient.friend]))
      #expect(host.asked == [friend])
    }

    @Test("3.2 Properties go to the queue's rules, and a queue is named by its name")
    func properties() async throws {
      let client = GameKitTests.client()
      client.answers.withLock { answers in
        answers.ticketInfo.state = .matched
        answers.ticketInfo.context = FakeClient.context
      }
      let found = await find {
        $0.recipients = nil
        $0.queueName = "ranked"
        $0.properties = ["skill": 1500, "map": "island"]
      }
      #expect(found.value != nil)
      let asked = try #require(client.asked.compactMap { $0 as? FindMatch }.first)
      #expect(asked.playerGroup == "ranked")
      #expect(asked.criteria.numbers == [TicketNumber("skill", 1500)])
      #expect(asked.criteria.words == [TicketWord("map", "island")])
      let refused = await find {
        $0.recipients = nil
        $0.properties = ["skill": 1.5]
      }
      #expect(refused.error?.code == .matchRequestInvalid)
    }

    @Test("3.8 The counter: the absolute number as 8 bytes, and a dropped match is left")
    func counter() async {
      let client = GameKitTests.client()
      var match = await find().value
      #expect(match != nil)
      match?.delegate = listener
      let bytes = (0..<8).map { UInt8(truncatingIfNeeded: Int64(-7) >> (56 - 8 * $0)) }
      client.seat.events.continuation.yield(
        .data(from: FakeClient.friend, bytes: bytes, isReliable: true))
      #expect(await listener.next() == .data(bytes, "Friend"))
      match = nil
      #expect(await client.seat.nextAct() == .left)
    }
  }
}
