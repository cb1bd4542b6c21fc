import Catalog

if CommandLine.arguments.contains("--help") {
  print(
    """
    usage: muster-protocol [--json]
    Prints the description of the protocol, which is Shared/Operations/protocol.md, or the field
    lists for programs, which are protocol.json beside it.
    """)
} else if CommandLine.arguments.contains("--json") {
  print(ProtocolSchema().text, terminator: "")
} else {
  print(try ProtocolPage().text, terminator: "")
}
