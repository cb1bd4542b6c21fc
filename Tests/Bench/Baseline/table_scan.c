// What SQLite itself takes to look at everything in a table: table_scan FILE TABLE
//
// One aggregate query over all columns: the length of each text and blob, the sum of each number.
// Prints a line of JSON.
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static sqlite3 *database;

static void check(int code, int expected) {
  if (code == expected) return;
  fprintf(stderr, "table_scan: %s\n", sqlite3_errmsg(database));
  exit(1);
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

// `SELECT count(*), total(length("key")), total("value"), ... FROM "table"`
static char *aggregate(const char *table) {
  sqlite3_str *sql = sqlite3_str_new(database);
  sqlite3_str_appendall(sql, "SELECT count(*)");
  sqlite3_stmt *columns;
  check(sqlite3_prepare_v2(database, "SELECT name, type FROM pragma_table_info(?1)", -1, &columns,
                           NULL), SQLITE_OK);
  check(sqlite3_bind_text(columns, 1, table, -1, SQLITE_STATIC), SQLITE_OK);
  int code;
  while ((code = sqlite3_step(columns)) == SQLITE_ROW) {
    const char *type = (const char *)sqlite3_column_text(columns, 1);
    int is_number = !strcmp(type, "INTEGER") || !strcmp(type, "REAL");
    sqlite3_str_appendf(sql, is_number ? ", total(\"%w\")" : ", total(length(\"%w\"))",
                        sqlite3_column_text(columns, 0));
  }
  check(code, SQLITE_DONE);
  sqlite3_finalize(columns);
  sqlite3_str_appendf(sql, " FROM \"%w\"", table);
  return sqlite3_str_finish(sql);
}

int main(int argc, char **argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: table_scan FILE TABLE\n");
    return 64;
  }
  check(sqlite3_open_v2(argv[1], &database, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
  char *sql = aggregate(argv[2]);
  double start = now();
  sqlite3_stmt *scan;
  check(sqlite3_prepare_v2(database, sql, -1, &scan, NULL), SQLITE_OK);
  check(sqlite3_step(scan), SQLITE_ROW);
  printf("{\"rows\":%lld,\"seconds\":%.6f}\n", (long long)sqlite3_column_int64(scan, 0),
         now() - start);
  sqlite3_finalize(scan);
  sqlite3_free(sql);
  sqlite3_close(database);
}
