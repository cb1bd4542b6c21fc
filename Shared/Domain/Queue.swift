/// First in, first out, in amortised constant time.
public struct Queue<Element>: RandomAccessCollection {
  @usableFromInline var elements: [Element] = []
  @usableFromInline var head = 0

  @inlinable public init() {}

  @inlinable public var startIndex: Int { 0 }
  @inlinable public var endIndex: Int { elements.count - head }

  @inlinable public mutating func append(_ element: Element) { elements.append(element) }

  @inlinable @discardableResult
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

  @inlinable
  public subscript(index: Int) -> Element {
    get { elements[head + index] }
    set { elements[head + index] = newValue }
  }
}
