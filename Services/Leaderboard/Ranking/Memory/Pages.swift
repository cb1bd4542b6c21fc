#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Allocates the memory of a ranking. Pieces never move once they are large, so that growth copies
/// little. Each is a large page of the processor if the system grants one.
///
/// Ten million entries are half a gigabyte that is read at random. With pages of 4 KiB nearly every
/// read also misses the processor's table of pages (the TLB); pages of 2 MiB need 512 times fewer
/// places in it. Pieces come from the system itself, so that others can use what is given back at
/// once.
enum Pages {
  /// The size of a large page, and of every piece but the first ones.
  static let pieceBytes = 2 << 20
  static let lineBytes = 64

  /// Allocates a large page. On a system with small pages only, the unwritten part takes no memory.
  static func allocatePiece() -> UnsafeMutableRawPointer {
    // Twice the size contains an aligned piece; the memory before and after it goes back.
    let bytes = 2 * pieceBytes
    let mapped = unsafe mmap(
      nil, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard let mapped = unsafe mapped, unsafe mapped != MAP_FAILED else {
      fatalError("the system has no memory for a ranking")
    }
    let before = -Int(bitPattern: mapped) & (pieceBytes - 1)
    let piece = unsafe mapped + before
    if before > 0 { unsafe munmap(mapped, before) }
    if before < pieceBytes { unsafe munmap(piece + pieceBytes, pieceBytes - before) }
    #if os(Linux)
      // This is advice only: if the system refuses it, the pages are small.
      _ = unsafe madvise(piece, pieceBytes, MADV_HUGEPAGE)
    #endif
    return unsafe piece
  }

  @unsafe
  static func freePiece(_ piece: UnsafeMutableRawPointer) {
    let result = unsafe munmap(piece, pieceBytes)
    precondition(result == 0, "a piece was mapped")
  }

  /// Allocates less than a large page.
  static func allocate(bytes: Int) -> UnsafeMutableRawPointer {
    UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: lineBytes)
  }
}
