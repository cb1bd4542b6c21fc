/// Fields in which a player says something: who is erased leaves nothing of it (rule 7.3).
///
/// A message says by its own player whose words they are, and one without a player by that of the
/// message around it: the texts of the erased player's messages are emptied, those of other
/// messages stay. Texts that name something of the game's, such as a board, have other names.
package enum PersonalFields {
  package static let names: Set<String> = [
    "alias", "attributes", "avatar", "criteria", "cta", "data", "details", "deviceName",
    "displayName", "message", "objectID", "payload", "reason", "senderName", "subject", "text",
    "title", "words",
  ]

  /// Hashes, without a key, of the identities that a player signs in with: whoever guesses an
  /// identity could check it by them. Where they have to lead somewhere they go with their rows;
  /// what was only written down of them does not outlast the player.
  static let hashes: Set<String> = ["identity", "proof"]
}
