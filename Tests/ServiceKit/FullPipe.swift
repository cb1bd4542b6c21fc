import Foundation

@testable import ServiceKit

/// Fills a pipe with ends of lines, until it takes no more.
///
/// - Parameter descriptor: where one writes into it.
func fillPipe(_ descriptor: Int32) {
  let flags = fcntl(descriptor, F_GETFL)
  _ = fcntl(descriptor, F_SETFL, flags | O_NONBLOCK)
  let page = [UInt8](repeating: LineOutlet.end, count: LineOutlet.pieceBytesMax)
  while unsafe write(descriptor, page, page.count) > 0 {}
  _ = fcntl(descriptor, F_SETFL, flags)
}
