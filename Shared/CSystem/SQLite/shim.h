#ifndef MUSTER_CSQLITE_SHIM_H
#define MUSTER_CSQLITE_SHIM_H

#include <sqlite3.h>

/* A cast that Swift cannot express: SQLite copies the bytes before the call returns. */
static inline sqlite3_destructor_type muster_sqlite_transient(void) { return SQLITE_TRANSIENT; }
/* The bytes outlive the statement's step. */
static inline sqlite3_destructor_type muster_sqlite_static(void) { return SQLITE_STATIC; }

/* Leaves the write-ahead log as it is when the connection closes. The option takes a variable number
   of arguments, which Swift cannot pass. */
static inline int muster_sqlite_keep_log(sqlite3 *connection) {
  return sqlite3_db_config(connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}

#endif
