import GatewayCore
import Operations
import Wire

/// How players sign in with identities of others, and what they see of their devices.
extension ProtocolProse {
  static let accounts = """
    ## Identities, devices and bans

    A deployment may take identities of providers, each of which its operator sets up. An identity takes the
    place of `SignUp`, not of `SignIn`: `SignUpWithIdentity` returns a credential of the player whom the identity
    belongs to, on any device, and the first time it makes the player.

    1. Draw an `attempt` of 16 random bytes, and tell nobody else. A nonce is needed for `apple`, `google` and
       `facebook`: call `FetchNonce` with the SHA-256 of the attempt, and have the provider put the nonce into its
       token; of Apple's, put the SHA-256 of the nonce's text there, in lowercase hexadecimal digits. A nonce is
       good for \(GatewayLimits.nonceSeconds) s, on every gateway, over lost connections.
    2. Call `SignUpWithIdentity` with provider, attempt, nonce and token, and keep player, device and secret.
       After a lost answer call it again with the same proof. With another attempt the proof is refused: it counts
       once.
    3. `SignIn` with them.

    Whatever is wrong with a proof, the answer is the same `invalidCredential`. `unavailable` means that the
    provider cannot be reached: try again after `retryAfterMilliseconds`. A new player needs a `displayName`;
    after `invalidArgument` (displayName) ask for one, and call again with the same proof.

    `LinkIdentity` links an identity to the player who is signed in. `conflict` (proof) has an `IdentityConflict`
    as `detail`: the identity is another player's. Ask which player to go on with, and then call
    `SignUpWithIdentity` to be that one, or `LinkIdentity` again with `movesFrom`, with the same proof. A player
    is not left without a way to sign in: such a move, and such an `UnlinkIdentity`, are refused with `conflict`.

    `ListSessions` tells a player's devices and sessions, `EndSession` ends one, and `SignOutEverywhere` leaves
    the caller's own alone. `SessionRevoked` says in `reason` why a session was ended. A sign-in of a player who
    is banned is refused with `banned`, whose `detail` is a `Ban`; do not try again before it is over. One who is
    connected gets the `Ban` with `SessionRevoked`. Until it is over the player gives no identity up.

    An operator who brings players from another system calls `ImportPlayer` with the subject that a provider will
    name later, and `ImportFriends` for those whom that system knew as friends. Both may be repeated.

    """
}
