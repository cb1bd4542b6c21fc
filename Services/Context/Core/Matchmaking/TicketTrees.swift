/// Waiting tickets in order of a number and, among equal ones, of their arrival: as many trees as
/// there are kinds of tickets, in one array.
///
/// Each is a treap: a search tree by key that is a heap by random priority, so that it is O(log n)
/// deep whatever the keys are. The priorities are secret, or whoever chooses numbers could choose
/// the shape. Each node knows the least arrival below it, so that the oldest ticket within a range
/// of numbers is found in O(log n), without a look at those before it.
struct TicketTrees {
  /// No node; also the root of an empty tree.
  static let none: Int32 = -1

  struct Key: Comparable {
    var number: Int64
    var arrival: UInt64

    static func < (left: Self, right: Self) -> Bool {
      left.number != right.number ? left.number < right.number : left.arrival < right.arrival
    }
  }

  private struct Node {
    var key: Key
    var priority: UInt64
    var left = TicketTrees.none
    var right = TicketTrees.none
    /// The least arrival in the subtree.
    var oldest: UInt64
    /// The place of the ticket in its pool.
    var ticket: Int32
  }

  private var nodes: [Node] = []
  private var free: [Int32] = []
  /// The way to a node that is removed.
  private var path: [Int32] = []

  subscript(node: Int32) -> (key: Key, ticket: Int32) {
    (nodes[Int(node)].key, nodes[Int(node)].ticket)
  }

  // MARK: Changing

  /// Adds a ticket to the tree of `root`, and returns its node.
  mutating func insert(_ key: Key, ticket: Int32, priority: UInt64, into root: inout Int32)
    -> Int32
  {
    let node = Node(key: key, priority: priority, oldest: key.arrival, ticket: ticket)
    let new: Int32
    if let reused = free.popLast() {
      new = reused
      nodes[Int(new)] = node
    } else {
      new = Int32(nodes.count)
      nodes.append(node)
    }
    var parent = Self.none
    var isLeft = false
    var current = root
    while current >= 0 && nodes[Int(current)].priority >= priority {
      if key.arrival < nodes[Int(current)].oldest { nodes[Int(current)].oldest = key.arrival }
      parent = current
      isLeft = key < nodes[Int(current)].key
      current = isLeft ? nodes[Int(current)].left : nodes[Int(current)].right
    }
    let (left, right) = split(current, at: key)
    nodes[Int(new)].left = left
    nodes[Int(new)].right = right
    refresh(new)
    attach(new, to: parent, isLeft: isLeft, &root)
    return new
  }

  mutating func remove(_ node: Int32, from root: inout Int32) {
    let key = nodes[Int(node)].key
    path.removeAll(keepingCapacity: true)
    var isLeft = false
    var current = root
    while current != node {
      path.append(current)
      isLeft = key < nodes[Int(current)].key
      current = isLeft ? nodes[Int(current)].left : nodes[Int(current)].right
    }
    let below = merge(nodes[Int(node)].left, nodes[Int(node)].right)
    attach(below, to: path.last ?? Self.none, isLeft: isLeft, &root)
    for above in path.reversed() { refresh(above) }
    free.append(node)
  }

  private mutating func attach(
    _ node: Int32, to parent: Int32, isLeft: Bool, _ root: inout Int32
  ) {
    if parent < 0 {
      root = node
    } else if isLeft {
      nodes[Int(parent)].left = node
    } else {
      nodes[Int(parent)].right = node
    }
  }

  /// Divides a tree into those before `key` and those after it. As deep as the tree.
  private mutating func split(_ tree: Int32, at key: Key) -> (Int32, Int32) {
    if tree < 0 { return (tree, tree) }
    if nodes[Int(tree)].key < key {
      let (left, right) = split(nodes[Int(tree)].right, at: key)
      nodes[Int(tree)].right = left
      refresh(tree)
      return (tree, right)
    }
    let (left, right) = split(nodes[Int(tree)].left, at: key)
    nodes[Int(tree)].left = right
    refresh(tree)
    return (left, tree)
  }

  /// Joins two trees of which the first is all before the second.
  private mutating func merge(_ left: Int32, _ right: Int32) -> Int32 {
    if left < 0 { return right }
    if right < 0 { return left }
    if nodes[Int(left)].priority >= nodes[Int(right)].priority {
      nodes[Int(left)].right = merge(nodes[Int(left)].right, right)
      refresh(left)
      return left
    }
    nodes[Int(right)].left = merge(left, nodes[Int(right)].left)
    refresh(right)
    return right
  }

  private mutating func refresh(_ node: Int32) {
    let (left, right) = (nodes[Int(node)].left, nodes[Int(node)].right)
    var oldest = nodes[Int(node)].key.arrival
    if left >= 0 { oldest = min(oldest, nodes[Int(left)].oldest) }
    if right >= 0 { oldest = min(oldest, nodes[Int(right)].oldest) }
    nodes[Int(node)].oldest = oldest
  }

  // MARK: Looking

  /// The least arrival in a tree that is not empty.
  func oldestArrival(of root: Int32) -> UInt64 { nodes[Int(root)].oldest }

  /// The node with the least arrival among those of a range of keys; `none` when there is none.
  func oldest(in range: ClosedRange<Key>, of root: Int32) -> Int32 {
    var current = root
    while current >= 0 {
      let key = nodes[Int(current)].key
      if key < range.lowerBound {
        current = nodes[Int(current)].right
      } else if range.upperBound < key {
        current = nodes[Int(current)].left
      } else {
        break
      }
    }
    if current < 0 { return Self.none }
    var best = Best(node: current, arrival: nodes[Int(current)].key.arrival)
    var below = nodes[Int(current)].left
    while below >= 0 {
      if nodes[Int(below)].key < range.lowerBound {
        below = nodes[Int(below)].right
      } else {
        consider(below, and: nodes[Int(below)].right, &best)
        below = nodes[Int(below)].left
      }
    }
    below = nodes[Int(current)].right
    while below >= 0 {
      if range.upperBound < nodes[Int(below)].key {
        below = nodes[Int(below)].left
      } else {
        consider(below, and: nodes[Int(below)].left, &best)
        below = nodes[Int(below)].right
      }
    }
    return find(best)
  }

  private struct Best {
    /// A node, or one above it.
    var node: Int32
    var arrival: UInt64
  }

  private func consider(_ node: Int32, and subtree: Int32, _ best: inout Best) {
    if nodes[Int(node)].key.arrival < best.arrival {
      best = Best(node: node, arrival: nodes[Int(node)].key.arrival)
    }
    if subtree >= 0, nodes[Int(subtree)].oldest < best.arrival {
      best = Best(node: subtree, arrival: nodes[Int(subtree)].oldest)
    }
  }

  private func find(_ best: Best) -> Int32 {
    var node = best.node
    while nodes[Int(node)].key.arrival != best.arrival {
      let left = nodes[Int(node)].left
      node =
        left >= 0 && nodes[Int(left)].oldest == best.arrival ? left : nodes[Int(node)].right
    }
    return node
  }

  /// How deep a tree is, for tests.
  func depth(of root: Int32) -> Int {
    root < 0
      ? 0 : 1 + max(depth(of: nodes[Int(root)].left), depth(of: nodes[Int(root)].right))
  }
}
