import Domain
import Operations

/// What is told of a context as a whole.
struct ContextReads: CorePart {
  let contexts: Contexts
  let matches: Matches

  func register(_ router: inout Router) { router.on(GetContext.self, getContext) }

  private func getContext(_ operation: GetContext, _ call: Call, _ transaction: inout Transaction)
    throws(Stop) -> ContextInfo
  {
    let row = try contexts.participant(operation.context, call)
    return row.details(for: call.player, match: matches.table[row.key])
  }
}
