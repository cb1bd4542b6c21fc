/// First in, first out, in amortised constant time. What was taken is released at once.
struct WaitingQueue<Element> {
  private var elements: [Element?] = []
  private var head = 0

  var isEmpty: Bool { head == elements.count }
  var first: Element? { isEmpty ? nil : elements[head] }

  mutating func append(_ element: Element) { elements.append(element) }

  @discardableResult
  mutating func removeFirst() -> Element? {
    if isEmpty { return nil }
    let element = elements[head]
    elements[head] = nil
    head += 1
    // Half of the array is used up: the rest moves to the front, at a cost that the removals have
    // paid.
    if head * 2 >= elements.count {
      elements.removeFirst(head)
      head = 0
    }
    return element
  }
}

extension WaitingQueue<Connection> {
  /// Takes the next one whose handshake has not ended meanwhile.
  mutating func takeHandshake() -> Connection? {
    while let connection = removeFirst() {
      connection.isInHandshakeQueue = false
      if connection.state == .handshaking { return connection }
    }
    return nil
  }
}
