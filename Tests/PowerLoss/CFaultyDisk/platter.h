#ifndef MUSTER_PLATTER_H
#define MUSTER_PLATTER_H

#include "faulty_disk.h"

#include <pthread.h>
#include <sqlite3.h>

/*
 * What is on the platter and what is only in memory, of each file and directory. A loss of power
 * leaves the one, and of the other what the seed chooses. The disk's lock is held in all of this.
 */

typedef struct {
  char *bytes;
  sqlite3_int64 count;
} content;

/* A write, or with no bytes a truncation to `offset`, that was not synced. */
typedef struct op {
  struct op *next;
  sqlite3_int64 offset;
  int count;
  char *bytes;
} op;

/* A file or a directory by its path: what is on the platter, and what is only in memory. */
typedef struct node {
  struct node *next;
  char *path;
  int is_directory;
  int is_present;      /* as the running system sees it */
  int is_name_durable; /* the directory entry is on the platter */
  content durable;
  op *first, *last;
  int has_old; /* an earlier file of this name was deleted, and the directory not synced */
  content old;
} node;

struct muster_disk {
  sqlite3_vfs vfs;
  sqlite3_vfs *real;
  pthread_mutex_t lock;
  node *nodes;
  long calls, fault_call;
  muster_fault fault;
  int fired, is_dead;
};

/* Notes a write, or with no bytes a truncation to `offset`. */
void muster_node_note(node *n, sqlite3_int64 offset, const void *bytes, int count);
void muster_node_sync(node *n);

/* A file that was there before we looked is taken to be on the platter, name and all. */
node *muster_platter_open(muster_disk *d, const char *path, int existed);
void muster_platter_delete(muster_disk *d, const char *path);
void muster_platter_sync_directory(muster_disk *d, const char *directory);
/* As SQLite does it at the first sync of a log, and after it has deleted one. */
void muster_platter_sync_directory_of(muster_disk *d, const char *path);
/* Makes every file and directory what survived, chosen by the seed. */
void muster_platter_survive(muster_disk *d, uint64_t seed);
void muster_platter_free(muster_disk *d);

#endif
