import Builds
public import Operations
public import Wire

extension ServiceStatus {
  /// What a process says of itself however it is: the program that it runs, and its build.
  public init(of program: String, _ partition: Partition) {
    self.init()
    name = program
    self.partition = partition.description
    (version, build) = (MusterVersion.text, Build.own)
  }
}
