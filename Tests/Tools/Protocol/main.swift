import Catalog

// Prints the description of the protocol: swift run muster-protocol > Shared/Operations/protocol.md
print(try ProtocolPage().text, terminator: "")
