internal import Foundation
internal import Locking
internal import MusterKit

/// What `GamingContext.current` is made of: what the client knows, and what stands before or in for
/// it. Only the client in use changes it: a dialog, a link or the follower of the one before may
/// end late.
struct ContextState: Sendable {
  /// What the game has set, and the client's context at that time.
  private struct Choice {
    var context: GamingContext?
    var player: PlayerID?
    var known: ContextID?
  }

  static let shared = Locked(ContextState())

  /// The client in use.
  private(set) var client: (any GamingServicesClient)?
  private var follower: Task<Void, Never>?
  /// A context whose deep link came, until it is loaded.
  private(set) var linked: GamingContext?
  private var choice: Choice?
  /// The context in which the game last ran, until it is known whether the player is still in it.
  private var before: KeptContext?
  private var file: URL?
  private var written: KeptContext?

  /// Makes the state of a client that is used from now on, and has somebody follow it.
  private init(_ client: (any GamingServicesClient)? = nil, keptIn file: URL? = nil) {
    (self.client, self.file) = (client, file)
    before = file.flatMap { KeptContext(at: $0) }
    written = before
    follower = client.map { client in Task { await Self.follow(client) } }
  }

  /// Another client is used from now on.
  static func begin(_ client: (any GamingServicesClient)?, keptIn file: URL?) {
    let old = shared.withLock { state in
      defer { state = ContextState(client, keptIn: file) }
      return state.follower
    }
    old?.cancel()
  }

  /// Changes the state for a client, and returns whether it is the one in use.
  @discardableResult
  private static func change(
    for client: any GamingServicesClient, _ change: (inout ContextState) -> Void
  ) -> Bool {
    shared.withLock { state in
      guard state.client === client else { return false }
      change(&state)
      return true
    }
  }

  mutating func current() -> GamingContext? {
    if let linked { return linked }
    let player = client?.session?.player
    let info = client?.currentContext
    if let choice {
      if choice.player == player && choice.known == info?.context { return choice.context }
      self.choice = nil
    }
    if info != nil || (player != nil && player?.description != before?.player) { before = nil }
    return info.map { GamingContext($0) } ?? before?.context
  }

  static func set(_ context: GamingContext?) {
    shared.withLock { state in
      let client = state.client
      state.linked = nil
      state.before = nil
      state.choice = Choice(
        context: context, player: client?.session?.player, known: client?.currentContext?.context)
      state.keep()
    }
  }

  /// Whether the game has set another context, or none, in place of this one.
  static func isReplaced(_ context: ContextID, _ client: any GamingServicesClient) -> Bool {
    var isReplaced = false
    change(for: client) { state in
      let current = state.current()
      isReplaced =
        state.linked == nil && state.choice != nil && current?.identifier != context.description
    }
    return isReplaced
  }

  /// A deep link has named a context, which is current until it is loaded. Returns whether it is to
  /// be loaded.
  static func link(_ context: GamingContext, _ client: any GamingServicesClient) -> Bool {
    change(for: client) { $0.linked = context }
  }

  /// The server has answered about a link's context.
  static func linked(
    _ context: GamingContext, isEntered: Bool, _ client: any GamingServicesClient
  ) {
    change(for: client) { state in
      if state.linked !== context { return }
      state.linked = nil
      if isEntered { state.choice = nil }
      state.keep()
    }
  }

  /// The player has entered a context by a dialog: what stood in for it is over.
  static func entered(_ client: any GamingServicesClient) {
    change(for: client) { state in
      state.linked = nil
      state.choice = nil
      state.keep()
    }
  }

  /// Writes down which context is current, for the next start. Where that fails, as on a full disk,
  /// the file goes: `current` is nil after the start until the server has answered, and not a
  /// context from before.
  private mutating func keep() {
    guard let file, linked == nil else { return }
    let player = client?.session?.player?.description ?? ""
    let kept = current().map { KeptContext($0, of: player) }
    if kept == written { return }
    do {
      try kept?.write(to: file)
      written = kept
    } catch {
      written = nil
    }
    if written == nil { try? FileManager.default.removeItem(at: file) }
  }

  /// Keeps what is current, and drops the context of before as soon as the server has said in which
  /// one the player is. Ends with the client.
  private static func follow(_ client: any GamingServicesClient) async {
    var asked: PlayerID?
    for await state in client.states {
      if Task.isCancelled { return }
      let player = client.session?.player
      if let player, player != asked, await isContextRead(client) {
        asked = player
        change(for: client) { $0.before = nil }
      }
      if player != nil || state == .signedOut && asked != nil {
        change(for: client) { $0.keep() }
      }
    }
  }

  /// Whether the client knows by now in which context the player is. It has asked the same when the
  /// session began, and its questions came first.
  private static func isContextRead(_ client: any GamingServicesClient) async -> Bool {
    guard shared.withLock({ $0.before != nil }) else { return true }
    do {
      guard let context = try await client.call(CurrentContext()).context else { return true }
      var operation = GetContext()
      operation.context = context
      _ = try await client.call(operation)
      return true
    } catch {
      return error.failureCode == .notFound
    }
  }
}
