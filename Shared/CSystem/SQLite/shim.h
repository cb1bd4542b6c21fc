#ifndef MUSTER_CSQLITE_SHIM_H
#define MUSTER_CSQLITE_SHIM_H

#include <sqlite3.h>

/* A cast that Swift cannot express: SQLite copies the bytes before the call returns. */
static inline sqlite3_destructor_type muster_sqlite_transient(void) { return SQLITE_TRANSIENT; }
/* The bytes outlive the statement's step. */
static inline sqlite3_destructor_type muster_sqlite_static(void) { return SQLITE_STATIC; }

#endif
