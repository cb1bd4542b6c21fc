import Operations
import Wire

/// How a client shows who players are.
extension ProtocolProse {
  static let profiles = """
    ## Profiles, photos and presence

    `GetProfiles` returns the profiles of up to \(ProfileLimits.profilesMax) players in the order asked; whoever
    is unknown, was erased or blocks the caller has `isReachable` = false and nothing else.

    A photo is named by its content: a `PhotoID` is the first 16 bytes of the SHA-256 of its bytes. To set one,
    cut the file into pieces of \(PhotoLimits.pieceBytesMax) bytes, the last of which is what remains, and send a
    `PutPhotoPiece` for each, one after the other, from `offset` 0 on: the next one begins at `received`, which
    is not 0 where a part is here from before. The photo is set when `isDone` is true, which may be at once; a
    `fault` means that it was forgotten. A photo has no metadata (EXIF, XMP, texts), which may tell a place:
    take it out before. To show one, read it with `ReadPhoto` from
    `offset` 0 on, until `byteCount` bytes are there, check their hash, and keep them under their name: bytes of
    a name never change. A `notFound` (photo) means that the profile is to be read again.

    `PresenceChanged` is a hint to friends, in all games. It may be lost: when a session begins, and after a
    `ServiceRestored` of the request service (\(Service.request.rawValue)), read the presence with `ListFriends` and a `limit`, page by page, or with `GetProfiles`.

    """
}
