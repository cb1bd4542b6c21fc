#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Where the memory of a ranking comes from: pieces that never move once they are large, so that
/// growth copies little, each a large page of the processor where the system grants one.
///
/// Ten million entries are half a gigabyte that is read at random. With pages of 4 KiB nearly every
/// read also misses the table of pages in the processor; a page of 2 MiB needs 512 times fewer places
/// in it. Pieces come from the system itself, so that what is given back is free for others at once.
enum Pages {
  /// The size of a large page, and of every piece but the first ones.
  static let pieceBytes = 2 << 20
  static let lineBytes = 64

  /// A large page. What has not been written takes no memory where the system has small pages only.
  static func allocatePiece() -> UnsafeMutableRawPointer {
    // Twice the size holds an aligned piece; what is before and after it goes back.
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
      // Only advice: where it is refused, the pages are small.
      _ = unsafe madvise(piece, pieceBytes, MADV_HUGEPAGE)
    #endif
    return unsafe piece
  }

  @unsafe
  static func freePiece(_ piece: UnsafeMutableRawPointer) {
    let result = unsafe munmap(piece, pieceBytes)
    precondition(result == 0, "a piece was mapped")
  }

  /// Less than a piece.
  static func allocate(bytes: Int) -> UnsafeMutableRawPointer {
    UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: lineBytes)
  }
}
