// A game that shows dialogs names the presenter and what it is asked. The SDK's modules brought
// Foundation along, as all frameworks of Apple's do.
@_exported public import Dialogs
@_exported public import Foundation
