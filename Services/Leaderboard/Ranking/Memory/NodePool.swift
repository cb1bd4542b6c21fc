/// Allocates nodes of one size, from pieces that double up to a large page and never move. A
/// released node is the next to be given out. Pieces go back to the system at the end, all
/// together.
@safe
struct NodePool: ~Copyable {
  let nodeBytes: Int
  private(set) var nodesInUse = 0
  private(set) var bytes = 0
  private var smallPieces: [Node] = []
  private var largePieces: [Node] = []
  private var next: UnsafeMutableRawPointer?
  private var nodesLeft = 0
  /// The first released node. Each released node holds the next one in its first bytes.
  private var released: UnsafeMutableRawPointer?

  init(nodeBytes: Int) { self.nodeBytes = nodeBytes }

  deinit {
    for piece in smallPieces { unsafe piece.memory.deallocate() }
    for piece in largePieces { unsafe Pages.freePiece(piece.memory) }
  }

  /// Returns a node whose contents are not defined.
  mutating func allocate() -> Node {
    nodesInUse += 1
    if let node = unsafe released {
      unsafe released = node.load(as: UnsafeMutableRawPointer?.self)
      return unsafe Node(node)
    }
    if nodesLeft == 0 { addPiece() }
    guard let node = unsafe next else { preconditionFailure("a piece has room for a node") }
    unsafe next = node + nodeBytes
    nodesLeft -= 1
    return unsafe Node(node)
  }

  mutating func release(_ node: Node) {
    nodesInUse -= 1
    unsafe node.memory.storeBytes(of: released, as: UnsafeMutableRawPointer?.self)
    unsafe released = node.memory
  }

  /// Gives back pieces of a pool whose nodes are not read again, and counts them off `left`.
  mutating func giveBack(_ left: inout Int) {
    while left > 0, let piece = largePieces.popLast() {
      unsafe Pages.freePiece(piece.memory)
      bytes -= Pages.pieceBytes
      left -= 1
    }
  }

  private mutating func addPiece() {
    let size = min(max(nodeBytes, bytes), Pages.pieceBytes)
    let isLarge = size == Pages.pieceBytes
    let piece = unsafe Node(isLarge ? Pages.allocatePiece() : Pages.allocate(bytes: size))
    if isLarge { largePieces.append(piece) } else { smallPieces.append(piece) }
    unsafe next = piece.memory
    nodesLeft = size / nodeBytes
    bytes += size
  }
}
