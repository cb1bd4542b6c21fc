import Operations

/// Groups, as two players and a third make one.
extension ProtocolProse {
  static let groups = """
    ## A group, step by step

    Ada owns a group, Ben is her friend, Cleo has heard of it.

    | Ada | Ben, Cleo | |
    | --- | --- | --- |
    | sends `CreateGroupContext` (policy `byRequest`, players [Ben]), gets the context, the link's secret and an outcome for Ben | Ben gets a `ContextInvitation` in the stream | Ben counts in the size from now on |
    | gets `ContextPlayerChanged` (Ben, active) | Ben sends `SwitchContext` (context) | he declines with `LeaveContext` |
    | gets `ContextJoinRequested` (Cleo) | Cleo sends `JoinContext` (context), gets her own state `requested` | a request takes no place |
    | sends `AnswerContextRequest` (Cleo, accept) | Cleo gets `ContextRequestAnswered`, then sends `SwitchContext` | |
    | sends `ChangeContextRole` (Ben, owner) | Ben and Cleo get two `ContextPlayerChanged`: Ben is the owner, Ada a moderator | a group has one owner |
    | gets `ContextClosed` | Ben sends `CloseContext` | whoever owned it may send `ReopenContext`, which begins a new generation |

    - Events say what has changed: apply a `ContextPlayerChanged` to what you know where its generation is the
      same. In a group, take out who has `left` or was `removed`. After `EventsDropped` call `GetContext`.
    - Lists and notices hold summaries: their `players` are the reader and the first three others. `GetContext`
      returns everybody, and `details`.
    - `notFound` (context) is one answer for many reasons: a client cannot tell a group that does not exist from
      one that is closed, whose policy does not let the player in, or with somebody whom a block keeps apart.
    - The link lets players in while the policy is `byLink`. It is another one after each change to `byLink`, after
      `renewsLink`, and when somebody who moderated is removed or becomes a participant. No event tells it: the
      owner and moderators read it by `GetContext` before they give it out.
    - `ContextLeft` is a hint to all devices of a player who is out of a context: call `CurrentContext`.
    - `SwitchContext` into the current context is no error: the reply says `wasCurrent`.
    - Page through `ChooseContexts` and `SuggestContexts` until the cursor is empty; a page may be empty before.
    - Call `CurrentContext` when a client starts.

    """
}
