import Wire

/// What players say to each other beside the turns.
extension TurnModel {
  struct Exchange: Equatable {
    var id: UInt32
    var player: Int
    var receivers: [Int]
    var lifetime: Int64
    var due: Int64
    var isComplete = false
    /// In the order in which they came.
    var answered: [Int] = []
    var words: [Int: [UInt8]]

    func isPart(_ player: Int) -> Bool { player == self.player || receivers.contains(player) }
  }

  /// Whether somebody may know of an exchange.
  func mayRead(_ exchange: Exchange, _ player: Int) -> Bool {
    exchange.isPart(player) || exchange.isComplete && !isSealed && mayAct(player)
  }

  func mayAsk(_ player: Int, _ others: [Int]) -> Bool {
    let own = exchanges.filter { $0.player == player }.count
    return !isOver && !isPaused && isIn[player] && others.allSatisfy { isIn[$0] } && own < 2
      && exchanges.count < 8
  }

  mutating func ask(
    _ player: Int, _ others: [Int], _ words: [UInt8], lifetime: Int64, now: Int64
  ) {
    exchangeCount += 1
    exchanges.append(
      Exchange(
        id: exchangeCount, player: player, receivers: others, lifetime: lifetime,
        due: now + lifetime, words: [player: words]))
  }

  /// The exchange, where it waits for this answer.
  func asked(_ id: UInt32, _ player: Int) -> Int? {
    guard !isOver, isIn[player] else { return nil }
    return exchanges.firstIndex {
      $0.id == id && !$0.isComplete && $0.receivers.contains(player)
        && !$0.answered.contains(player)
    }
  }

  mutating func answer(_ index: Int, _ player: Int, _ words: [UInt8], now: Int64) {
    exchanges[index].answered.append(player)
    exchanges[index].words[player] = words
    completeIfAnswered(index, now)
  }

  private mutating func completeIfAnswered(_ index: Int, _ now: Int64) {
    let exchange = exchanges[index]
    guard Set(exchange.answered).isSuperset(of: exchange.receivers) else { return }
    exchanges[index].isComplete = true
    exchanges[index].due = now + exchange.lifetime
  }

  mutating func leaveExchanges(_ player: Int, _ now: Int64) {
    for exchange in exchanges where !exchange.isComplete {
      guard let index = exchanges.firstIndex(where: { $0.id == exchange.id }) else { continue }
      if !exchange.answered.contains(player) {
        exchanges[index].receivers.removeAll { $0 == player }
      }
      if exchange.player == player || exchanges[index].receivers.isEmpty {
        exchanges.remove(at: index)
      } else {
        completeIfAnswered(index, now)
      }
    }
  }

  mutating func expireExchange(_ time: Int64) {
    guard let index = exchanges.firstIndex(where: { $0.due == time }) else { return }
    if exchanges[index].isComplete || exchanges[index].answered.isEmpty {
      exchanges.remove(at: index)
    } else {
      exchanges[index].isComplete = true
      exchanges[index].due = time + exchanges[index].lifetime
    }
  }
}
