/// Does work to its end in a task of its own, also when the task that waits is cancelled: the calls
/// of a cancelled task fail, and so would those that take back what it has begun.
package func uncancelled<Value: Sendable, Failure: Error>(
  _ work: @escaping @Sendable () async throws(Failure) -> Value
) async throws(Failure) -> Value {
  let task = Task { () async -> Result<Value, Failure> in
    do throws(Failure) {
      return .success(try await work())
    } catch {
      return .failure(error)
    }
  }
  return try await task.value.get()
}
