#if !canImport(UIKit)
  public import Foundation

  /// Stands for a picture where there is no UIKit: the bytes of its file.
  public final class UIImage: Sendable {
    /// A PNG, JPEG or WebP file.
    public let data: Data

    /// Nil for no bytes; whether they are a picture is not looked at.
    public init?(data: Data) {
      if data.isEmpty { return nil }
      self.data = data
    }
  }
#endif
