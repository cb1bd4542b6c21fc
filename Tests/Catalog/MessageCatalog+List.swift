// Written by `MUSTER_UPDATE_GOLDEN=1 swift test --filter OperationsTests`.

import Operations
public import Wire

extension MessageCatalog {
  public static let operations: [any Operation.Type] = [
    AppendEvent.self,
    DeploymentStatus.self,
    Echo.self,
    FetchFriends.self,
    GameServerCredential.self,
    OpenSession.self,
    RegisterDevice.self,
    Resume.self,
    RevokeSession.self,
    SignIn.self,
    SignInGameServer.self,
    SignInOperator.self,
    SignOut.self,
    SignUp.self,
  ]

  public static let events: [any Event.Type] = [
    ServiceRestored.self,
    SessionRevoked.self,
    StreamEvent.self,
  ]
}
