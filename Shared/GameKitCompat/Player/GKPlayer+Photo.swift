internal import Foundation
internal import MusterKit

#if canImport(UIKit)
  public import UIKit
#endif

public typealias GKPhotoSize = GKPlayer.PhotoSize

extension GKPlayer {
  /// Which of a player's two photos.
  public enum PhotoSize: Int, Sendable {
    /// For lists.
    case small = 0
    case normal = 1
  }

  /// Loads the player's photo of a size. The error of a player without one is
  /// `playerPhotoFailure`.
  public func loadPhoto(
    for size: PhotoSize,
    withCompletionHandler completionHandler: (@MainActor (UIImage?, (any Error)?) -> Void)? = nil
  ) {
    let player = identifier
    complete(completionHandler) { () async throws(GKError) in
      let client = try GameKit.signedInClient()
      let profile = try await client.profiles(of: [player])[player]
      guard let profile else { throw GKError(.notReachable, "The player cannot be reached.") }
      let photo = size == .small ? profile.smallPhoto : profile.normalPhoto
      if photo.isNil { throw Self.failure("The player has no photo.") }
      do throws(MusterError) {
        let bytes = try await client.photo(photo, of: player)
        if let image = UIImage(data: Data(bytes)) { return image }
      } catch {
        throw GKError(error)
      }
      throw Self.failure("The photo cannot be shown.")
    }
  }

  public func loadPhoto(for size: PhotoSize) async throws -> UIImage {
    try await outcome { loadPhoto(for: size, withCompletionHandler: $0) }
  }

  private static func failure(_ text: String) -> GKError {
    GKError(.notFound, argument: "photo", as: .playerPhotoFailure, text)
  }
}
