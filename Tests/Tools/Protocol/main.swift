import Catalog

if CommandLine.arguments.contains("--help") {
  print(
    """
    usage: muster-protocol > Shared/Operations/protocol.md
    Prints the description of the protocol.
    """)
} else {
  print(try ProtocolPage().text, terminator: "")
}
