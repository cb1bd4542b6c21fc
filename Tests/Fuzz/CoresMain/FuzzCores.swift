import CoreFuzz
import Foundation

// The fuzzer's target for the cores: an input is a script of calls, time and deliveries.

@c(LLVMFuzzerTestOneInput)
public func fuzzOne(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = unsafe [UInt8](UnsafeBufferPointer(start: start, count: count))
  if hasCanary { FuzzedCores.runWithCanary(bytes) } else { FuzzedCores.run(bytes) }
  return 0
}

private let hasCanary = ProcessInfo.processInfo.environment["CANARY"] == "1"
