internal import Foundation

/// Reads of an archive, which nobody can trust: what is not of the kind that was asked for is nil.
extension NSCoder {
  func text(forKey key: String) -> String? {
    decodeObject(of: NSString.self, forKey: key) as String?
  }

  func texts(forKey key: String) -> [String] {
    decodeObject(of: [NSArray.self, NSString.self], forKey: key) as? [String] ?? []
  }
}
