import Stack

extension Stack {
  /// Runs a body on a stack that is started for it. Also where the body fails, what comes after it
  /// has the machine to itself.
  static func running<Result>(
    _ options: Options, _ body: (Stack) async throws -> Result
  ) async throws -> Result {
    let stack = try Stack(options)
    do {
      try await stack.start()
      let result = try await body(stack)
      await stack.stop()
      return result
    } catch {
      await stack.stop()
      throw error
    }
  }
}
