import Foundation
import LocalServer
import Locking
import Outgoing
import Testing
import Wire

/// A push hook's endpoint as a game's maker would write it: it believes what is signed, and leaves
/// out doubles by the event's id. But at first it is dead, and then it answers as it likes.
final class PushEndpoint: Sendable {
  /// What the endpoint is told of an event.
  struct Told: Decodable, Sendable {
    struct Fields: Decodable, Sendable {
      var displayName: String
    }
    var id: String
    var player: String
    var sequence: UInt64
    var game: String
    var time: Int64
    var kind: String
    var number: UInt16
    var event: Fields
  }

  struct State: Sendable {
    var isAlive = false
    var callCount = 0
    /// Players of whom it was told since it has been alive.
    var players: Set<String> = []
    /// By the event's id.
    var taken: [String: Told] = [:]
    var doubleCount = 0
    var unsignedCount = 0
    fileprivate var waiters: [Waiter] = []
  }

  fileprivate struct Waiter: Sendable {
    var isDone: @Sendable (State) -> Bool
    var promise: Promise<Void>
  }

  static let secret = "whsec_" + String(repeating: "BBBB", count: 10)
  static let formerSecret = "whsec_" + String(repeating: "AAAA", count: 10)
  let state = Locked(State())

  func wakeUp() { state.withLock { $0.isAlive = true } }

  /// Waits until the endpoint has come so far, or the test's time is over.
  func reaches(_ isDone: @escaping @Sendable (State) -> Bool) async {
    let waiter = Waiter(isDone: isDone, promise: Promise())
    state.withLock { $0.waiters.append(waiter) }
    tellWaiters()
    await withTaskCancellationHandler {
      await waiter.promise.value
    } onCancel: {
      waiter.promise.set(())
    }
  }

  private func tellWaiters() {
    let done = state.withLock { state in
      let (waiters, now) = (state.waiters, state)
      state.waiters = waiters.filter { !$0.isDone(now) }
      return waiters.filter { $0.isDone(now) }
    }
    for waiter in done { waiter.promise.set(()) }
  }

  /// By its number, a call fails, hangs, is answered twice or slowly, or is right.
  func steps(_ request: TestRequest) -> [Step] {
    defer { tellWaiters() }
    let (number, isAlive) = state.withLock { state in
      state.callCount += 1
      return (state.callCount, state.isAlive)
    }
    if !isAlive { return number.isMultiple(of: 4) ? [.hang] : [.close] }
    let told = try? JSONDecoder().decode(Told.self, from: Data(request.body))
    state.withLock { _ = $0.players.insert(told?.player ?? "nobody") }
    switch number % 8 {
    case 0: return [.answer(500, "fault")]
    case 1: return [.hang]
    case 2: return [.answer(404)]
    // Taken, but the answer does not arrive.
    case 3:
      take(request, told)
      return [.close]
    case 4:
      take(request, told)
      return [.send(Step.bytes(200, "one") + Step.bytes(200, "two"))]
    case 5:
      take(request, told)
      return [.pause(200), .answer(202, "slow")]
    default:
      take(request, told)
      return [.answer(204)]
    }
  }

  private func take(_ request: TestRequest, _ told: Told?) {
    let id = request.headers["webhook-id"] ?? ""
    let seconds = Int64(request.headers["webhook-timestamp"] ?? "") ?? 0
    // It has not taken over the new secret yet.
    let isSigned =
      PushSecrets(Self.formerSecret).map {
        PushSignature.verify(
          request.headers["webhook-signature"] ?? "", id: id, seconds: seconds, body: request.body,
          $0)
      } ?? false
    let isNew = abs(Date.now.timeIntervalSince1970 - Double(seconds)) <= 300
    let attempt = Int(request.headers["muster-attempt"] ?? "") ?? 0
    state.withLock { state in
      guard isSigned, isNew, attempt > 0, let told, told.id == id else {
        return state.unsignedCount += 1
      }
      if state.taken.updateValue(told, forKey: id) != nil { state.doubleCount += 1 }
    }
  }
}
