/// Fields in which a player says something: who is erased leaves nothing of it (rule 7.3).
///
/// A message says by its own player whose words they are: a text beside the erased player's id is
/// emptied, one in another message stays. Texts that name something of the game's, such as a board,
/// have other names.
package enum PersonalFields {
  package static let names: Set<String> = [
    "alias", "attributes", "avatar", "criteria", "cta", "data", "details", "displayName", "message",
    "objectID", "payload", "reason", "senderName", "text", "title", "words",
  ]
}
