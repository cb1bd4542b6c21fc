import MusterKit

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

enum PhotoCommands {
  static let all = [
    Command(
      "photo set", "FILE", "set the player's photo: a PNG, JPEG or WebP", [size], run: set),
    Command("photo get", "PLAYER FILE", "store a player's photo in a file", [size], run: get),
    Command("photo remove", "", "remove the player's photo", [size]) { session in
      try await session.show(RemovePhoto(try session.named("size") ?? .normal))
    },
  ]

  private static let size = Command.Option(
    "size", "SIZE", "Which of the player's photos (default normal).", choices: PhotoSize.names)

  private static func set(_ session: Session) async throws {
    let path = try session.word(0, "FILE")
    guard let photo = FileManager.default.contents(atPath: path) else {
      throw UsageError.missing("\(path) cannot be read.")
    }
    let size: PhotoSize = try session.named("size") ?? .normal
    let id = try await session.asPlayer { try await $0.setPhoto(Array(photo), size: size) }
    session.output.show(.object([.init(name: "photo", value: .text(id.description))]))
  }

  private static func get(_ session: Session) async throws {
    var operation = GetProfile()
    operation.player = try session.player(session.word(0, "PLAYER"))
    let path = try session.word(1, "FILE")
    let size: PhotoSize = try session.named("size") ?? .normal
    let asked = operation
    let photo = try await session.asPlayer { client in
      let profile = try await client.call(asked)
      let id = size == .small ? profile.smallPhoto : profile.normalPhoto
      guard !id.isNil else { throw UsageError.missing("The player has no \(size) photo.") }
      return try await client.photo(id, of: asked.player)
    }
    guard FileManager.default.createFile(atPath: path, contents: Data(photo)) else {
      throw UsageError.missing("\(path) cannot be written.")
    }
    session.output.show(.object([.init(name: "bytes", value: .integer(Int64(photo.count)))]))
  }
}
