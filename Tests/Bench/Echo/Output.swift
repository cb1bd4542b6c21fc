#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A pipe buffers what is printed; whoever started us waits for the port.
func flushOutput() { fflush(nil) }

/// Says why there is no server, and ends.
func fail(_ reason: String) -> Never { end("bench-echo: \(reason)", code: 1) }

func end(_ text: String, code: Int32) -> Never {
  print(text)
  exit(code)
}
