/// What a load of requests needs of its deployment.
package enum RequestLoad {
  /// Budgets and lists that no load of a minute fills.
  package static let flags = [
    "--request-send-burst", "1000000", "--request-receive-burst", "1000000",
    "--request-receive-per-sender-burst", "1000000", "--invitation-burst", "1000000",
    "--inbox-max", "10000", "--inbox-per-sender", "10000", "--inbox-total", "100000",
    "--stream-events-per-sender", "100000", "--stream-events-max", "1000000",
  ]
}
