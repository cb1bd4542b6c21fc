/// First in, first out, in amortised constant time.
public struct Queue<Element> {
  private var elements: [Element] = []
  private var head = 0

  public init() {}

  public var count: Int { elements.count - head }
  public var isEmpty: Bool { count == 0 }
  public var first: Element? { isEmpty ? nil : elements[head] }

  public mutating func append(_ element: Element) { elements.append(element) }

  @discardableResult
  public mutating func removeFirst() -> Element {
    let element = elements[head]
    head += 1
    // Half of the array is used up: the rest moves to the front, at a cost that the removals have
    // paid.
    if head * 2 >= elements.count {
      elements.removeFirst(head)
      head = 0
    }
    return element
  }

  public subscript(index: Int) -> Element {
    get { elements[head + index] }
    set { elements[head + index] = newValue }
  }
}
