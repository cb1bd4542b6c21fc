// A game that shows dialogs names the presenter and what it is asked.
@_exported public import Dialogs
