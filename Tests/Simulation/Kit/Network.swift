import Domain
import Operations
import ServiceKit
import Wire

/// One end of calls.
enum Endpoint: Hashable {
  case gateway(Int)
  case process(Peers.Address)
}

/// A service's process as the network sees it.
protocol Server: AnyObject {
  var address: Peers.Address { get }
  var isUp: Bool { get }
  /// How often the process was started.
  var life: Int { get }
  func receive(_ request: Request, _ done: @escaping (Answer) -> Void)
  func linkClosed(_ link: UInt64)
  func closeChannel(_ channel: Channel, ending instance: UInt64)
}

/// The links between processes. Messages of one connection keep their order. A connection may break
/// at any time: messages that were under way may still arrive, even after messages of the next
/// connection. Single calls may be lost, until their deadline ends them, or arrive twice.
final class Network {
  private struct Pair: Hashable {
    var from: Endpoint
    var to: Peers.Address
  }

  private final class Connection {
    let number: UInt64
    let pair: Pair
    var isUp = true
    var lastThere: Int64 = 0
    var lastBack: Int64 = 0
    /// When the last call arrives there, those among them that come twice.
    var lastArrival: Int64 = 0
    var open: [UInt64: OpenCall] = [:]

    init(_ number: UInt64, _ pair: Pair) {
      self.number = number
      self.pair = pair
    }
  }

  private final class OpenCall {
    private var done: ((Answer) -> Void)?

    init(_ done: @escaping (Answer) -> Void) { self.done = done }

    func finish(_ answer: Answer) {
      let done = done
      self.done = nil
      done?(answer)
    }
  }

  /// Calls about the connection that they come on, where in truth nothing comes twice: a seat is
  /// taken there, a session begins, and once the stream is read to its end events are pushed. What
  /// a second copy does there, after an acknowledgement, the answer to the first does not say.
  private static let onceOnly: Set<Opcode> = [
    JoinMatch.opcode, OpenSession.opcode, ReadEvents.opcode,
  ]

  let schedule: Schedule
  var servers: [Peers.Address: any Server] = [:]
  /// While false, nothing is lost, doubled or cut.
  var isTroubled = true
  /// Called with a push for a client of a gateway.
  var onPush: (Endpoint, Push) -> Void = { _, _ in }
  /// Called when a gateway has lost its connection to a process.
  var onCut: (Endpoint, Peers.Address) -> Void = { _, _ in }
  private(set) var cuts = 0
  private var connections: [Pair: Connection] = [:]
  private var byNumber: [UInt64: Connection] = [:]
  private var lastNumber: UInt64 = 0
  private var lastCall: UInt64 = 0

  init(schedule: Schedule) { self.schedule = schedule }

  private func connection(_ pair: Pair) -> Connection {
    if let known = connections[pair] { return known }
    lastNumber += 1
    let made = Connection(lastNumber, pair)
    connections[pair] = made
    byNumber[made.number] = made
    return made
  }

  // MARK: Calls

  func call(
    from: Endpoint, to address: Peers.Address, _ request: Request, deadlineMilliseconds: Int64,
    _ done: @escaping (Answer) -> Void
  ) {
    let call = OpenCall(done)
    guard let server = servers[address], server.isUp else {
      schedule.after(schedule.number(1...60)) {
        call.finish(.failure(Failure(.disconnected, "nobody listens")))
      }
      return
    }
    let connection = connection(Pair(from: from, to: address))
    lastCall += 1
    let number = lastCall
    connection.open[number] = call
    schedule.after(deadlineMilliseconds) { [weak connection] in
      connection?.open.removeValue(forKey: number)?
        .finish(.failure(Failure(.deadlineExceeded, "no answer in time")))
    }
    // A seat is given up on the connection on which it was asked for, and ends with it. Were that
    // call lost alone, its client, which does not ask again, would seem to be there.
    if isTroubled && schedule.isChance(oneIn: 80) && request.opcode != LeaveMatch.opcode { return }
    connection.lastThere = max(connection.lastThere, schedule.now + schedule.wait())
    deliver(request, number, to: server, connection, at: connection.lastThere)
    if isTroubled && schedule.isChance(oneIn: 25) && !Self.onceOnly.contains(request.opcode) {
      let later = connection.lastThere + schedule.wait() * 3
      deliver(request, number, to: server, connection, at: later)
    }
  }

  private func deliver(
    _ request: Request, _ number: UInt64, to server: any Server, _ connection: Connection,
    at time: Int64
  ) {
    let life = server.life
    connection.lastArrival = max(connection.lastArrival, time)
    schedule.at(time) { [self] in
      guard server.isUp, server.life == life else { return }
      // The other end had already read some of what the broken connection carried.
      if !connection.isUp && schedule.isChance(oneIn: 2) { return }
      var request = request
      request.link = connection.number
      server.receive(request) { [self] answer in
        guard connection.isUp else { return }
        connection.lastBack = max(connection.lastBack, schedule.now + schedule.wait())
        schedule.at(connection.lastBack) {
          guard connection.isUp else { return }
          connection.open.removeValue(forKey: number)?.finish(answer)
        }
      }
    }
  }

  func push(_ push: Push) {
    guard let connection = byNumber[push.channel.link], connection.isUp else { return }
    connection.lastBack = max(connection.lastBack, schedule.now + schedule.wait())
    schedule.at(connection.lastBack) { [self] in
      if connection.isUp { onPush(connection.pair.from, push) }
    }
  }

  /// Tells a service's process that a client of a gateway has gone.
  ///
  /// - Parameter instance: the client's, if its session has ended; 0 otherwise.
  func closeChannel(
    from: Endpoint, to address: Peers.Address, session: UInt64, ending instance: UInt64
  ) {
    guard let connection = connections[Pair(from: from, to: address)],
      let server = servers[address]
    else { return }
    // Calls that come twice by a link would be a client's own sendings: before it went.
    connection.lastThere = max(
      connection.lastThere, connection.lastArrival, schedule.now + schedule.wait())
    let life = server.life
    schedule.at(connection.lastThere) {
      guard server.isUp, server.life == life, connection.isUp else { return }
      server.closeChannel(
        Channel(link: connection.number, session: session), ending: instance)
    }
  }

  // MARK: Trouble

  /// Breaks one of the connections, by chance.
  func cutOne() {
    let all = connections.values.sorted { $0.number < $1.number }
    if let victim = schedule.pick(all) {
      cuts += 1
      cut(victim)
    }
  }

  /// Breaks all connections of a process that died.
  func cutAll(of endpoint: Endpoint) {
    let lost = connections.values.filter {
      $0.pair.from == endpoint || .process($0.pair.to) == endpoint
    }
    for connection in lost.sorted(by: { $0.number < $1.number }) { cut(connection) }
  }

  private func cut(_ connection: Connection) {
    connection.isUp = false
    connections[connection.pair] = nil
    byNumber[connection.number] = nil
    let open = connection.open.sorted { $0.key < $1.key }
    connection.open = [:]
    for (_, call) in open {
      schedule.after(schedule.number(0...5)) {
        call.finish(.failure(Failure(.disconnected, "the connection was lost")))
      }
    }
    onCut(connection.pair.from, connection.pair.to)
    guard let server = servers[connection.pair.to] else { return }
    let life = server.life
    // The end of a connection is read after what came before it.
    schedule.at(max(connection.lastArrival, schedule.now + schedule.wait())) {
      if server.isUp && server.life == life { server.linkClosed(connection.number) }
    }
  }
}
