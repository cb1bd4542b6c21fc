#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A pipe buffers what is printed; whoever started us waits for the port.
func flushOutput() { fflush(nil) }
