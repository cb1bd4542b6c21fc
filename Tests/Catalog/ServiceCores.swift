// Written by `MUSTER_UPDATE_GOLDEN=1 swift test --filter OperationsTests`.

import ContextCore
public import Domain
import LeaderboardCore
import RequestCore

/// The cores of all services.
public enum ServiceCores {
  public static let all: [any ServiceCore.Type] = [
    ContextCore.self,
    RequestCore.self,
    LeaderboardCore.self,
  ]
}
