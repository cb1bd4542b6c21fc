// A game imports MusterKit alone: the operations it calls and the ids in them come along.
@_exported public import Operations
@_exported public import Wire
