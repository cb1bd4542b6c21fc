import Stack

/// A clock that jumps some days ahead, or back, for some processes.
struct JumpingClock {
  fileprivate static func source(days: Int) -> String {
    """
    int clock_gettime(clockid_t id, struct timespec *time) {
      static int (*real)(clockid_t, struct timespec *);
      if (!real) real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
      int result = real(id, time);
      if (result == 0 && id == CLOCK_REALTIME && is_on()) time->tv_sec += \(days) * 86400L;
      return result;
    }
    """
  }

  fileprivate let calls: PreloadedCalls

  func jump() throws { try calls.turnOn() }
  func comeBack() throws { try calls.turnOff() }
}

/// Runs a test against a stack of which some processes have a clock that can be made to jump.
func withJumpingClock(
  of names: [String], days: Int, _ body: (Stack, JumpingClock) async throws -> Void
) async throws {
  try await withPreloadedCalls(JumpingClock.source(days: days), of: names) { stack, calls in
    try await body(stack, JumpingClock(calls: calls))
  }
}
