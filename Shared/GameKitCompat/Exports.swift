// A game that imports GameKit has Foundation by it, and UIKit where there is one.
@_exported public import Dialogs
@_exported public import Foundation
package import Wire

/// An operation of the protocol; Foundation has another type of this name.
package typealias Operation = Wire.Operation
