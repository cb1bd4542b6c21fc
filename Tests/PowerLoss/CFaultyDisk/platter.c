#include "platter.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SECTOR 512

/* ---- what is written and synced ---- */

static void put(content *c, sqlite3_int64 offset, const char *bytes, sqlite3_int64 count) {
  if (offset + count > c->count) {
    c->bytes = realloc(c->bytes, (size_t)(offset + count));
    memset(c->bytes + c->count, 0, (size_t)(offset + count - c->count));
    c->count = offset + count;
  }
  memcpy(c->bytes + offset, bytes, (size_t)count);
}

static void cut(content *c, sqlite3_int64 count) {
  if (count < c->count) c->count = count;
}

static void clear(content *c) {
  free(c->bytes);
  memset(c, 0, sizeof *c);
}

static void forget_ops(node *n) {
  while (n->first) {
    op *next = n->first->next;
    free(n->first->bytes);
    free(n->first);
    n->first = next;
  }
  n->last = 0;
}

void muster_node_note(node *n, sqlite3_int64 offset, const void *bytes, int count) {
  op *o = calloc(1, sizeof *o);
  o->offset = offset;
  o->count = count;
  if (bytes) {
    o->bytes = malloc((size_t)count + 1);
    memcpy(o->bytes, bytes, (size_t)count);
  }
  if (n->last) n->last->next = o; else n->first = o;
  n->last = o;
}

void muster_node_sync(node *n) {
  for (op *o = n->first; o; o = o->next) {
    if (o->bytes) put(&n->durable, o->offset, o->bytes, o->count);
    else cut(&n->durable, o->offset);
  }
  forget_ops(n);
}

/* Whether `path` names something right in the directory. */
static int is_in(const char *path, const char *directory) {
  size_t count = strlen(directory);
  return !strncmp(path, directory, count) && path[count] == '/' && !strchr(path + count + 1, '/');
}

/* The tracked directory that holds a file or directory; null when it was there before we looked. */
static node *parent(muster_disk *d, const char *path) {
  for (node *n = d->nodes; n; n = n->next)
    if (n->is_directory && is_in(path, n->path)) return n;
  return 0;
}

void muster_platter_sync_directory(muster_disk *d, const char *directory) {
  for (node *n = d->nodes; n; n = n->next) {
    if (!is_in(n->path, directory)) continue;
    n->has_old = 0;
    clear(&n->old);
    n->is_name_durable = n->is_present;
  }
}

static void read_real(node *n) {
  FILE *f = fopen(n->path, "rb");
  char part[4096];
  size_t got;
  if (!f) return;
  while ((got = fread(part, 1, sizeof part, f)) > 0)
    put(&n->durable, n->durable.count, part, (sqlite3_int64)got);
  fclose(f);
}

static node *find(muster_disk *d, const char *path) {
  for (node *n = d->nodes; n; n = n->next)
    if (!strcmp(n->path, path)) return n;
  return 0;
}

void muster_platter_sync_directory_of(muster_disk *d, const char *path) {
  char *directory = strdup(path);
  *strrchr(directory, '/') = 0;
  muster_platter_sync_directory(d, directory);
  free(directory);
}

node *muster_platter_open(muster_disk *d, const char *path, int existed) {
  node *n = find(d, path);
  if (!n) {
    n = calloc(1, sizeof *n);
    n->path = strdup(path);
    n->next = d->nodes;
    d->nodes = n;
    n->is_present = n->is_name_durable = existed;
    if (existed) read_real(n);
  }
  if (!n->is_present) n->is_present = 1;
  return n;
}

void muster_platter_delete(muster_disk *d, const char *path) {
  node *n = find(d, path);
  if (!n || !n->is_present) return;
  if (n->is_name_durable) {
    clear(&n->old);
    n->old = n->durable;
    n->has_old = 1;
    memset(&n->durable, 0, sizeof n->durable);
  }
  clear(&n->durable);
  forget_ops(n);
  n->is_present = n->is_name_durable = 0;
}

void muster_platter_free(muster_disk *d) {
  while (d->nodes) {
    node *next = d->nodes->next;
    forget_ops(d->nodes);
    clear(&d->nodes->durable);
    clear(&d->nodes->old);
    free(d->nodes->path);
    free(d->nodes);
    d->nodes = next;
  }
}

/* ---- what survives ---- */

static uint64_t next_random(uint64_t *state) {
  uint64_t z = (*state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/* Some sectors of a write, each with the chance of `of` in 4. */
static void put_torn(content *c, const op *o, int of, uint64_t *random) {
  sqlite3_int64 at = o->offset, end = o->offset + o->count;
  while (at < end) {
    sqlite3_int64 stop = (at / SECTOR + 1) * SECTOR;
    if (stop > end) stop = end;
    if ((int)(next_random(random) & 3) < of) put(c, at, o->bytes + (at - o->offset), stop - at);
    at = stop;
  }
}

/* Whether the name of a file or directory is there after the loss. One that was not synced may be. */
static int keeps_name(muster_disk *d, node *n, uint64_t *random) {
  node *above = parent(d, n->path);
  if (above && !above->is_present) return 0;
  return n->is_present && (n->is_name_durable || (next_random(random) & 1));
}

static void survive(muster_disk *d, node *n, uint64_t *random) {
  /* Of the writes that were not synced: none, all, or each sector by chance. */
  int of = (int)(next_random(random) % 5);
  for (op *o = n->first; o; o = o->next) {
    if (o->bytes) put_torn(&n->durable, o, of, random);
    else if ((int)(next_random(random) & 3) < of) cut(&n->durable, o->offset);
  }
  forget_ops(n);
  node *above = parent(d, n->path);
  int is_kept = keeps_name(d, n, random);
  if (!is_kept) {
    clear(&n->durable);
    if (n->has_old && (!above || above->is_present) && (next_random(random) & 1)) {
      n->durable = n->old;
      memset(&n->old, 0, sizeof n->old);
      is_kept = 1;
    }
  }
  clear(&n->old);
  n->has_old = 0;
  n->is_present = n->is_name_durable = is_kept;
  unlink(n->path);
  if (!is_kept) return;
  FILE *f = fopen(n->path, "wb");
  if (!f) abort();
  if (n->durable.count) fwrite(n->durable.bytes, 1, (size_t)n->durable.count, f);
  fclose(f);
}

/* Directories are tracked from the top, so that the newest of them is the deepest. */
static void survive_directories(muster_disk *d, node *n, uint64_t *random) {
  if (!n) return;
  survive_directories(d, n->next, random);
  if (n->is_directory) n->is_present = n->is_name_durable = keeps_name(d, n, random);
}

static void remove_lost_directories(muster_disk *d) {
  for (node *n = d->nodes; n; n = n->next)
    if (n->is_directory && !n->is_present && !access(n->path, F_OK) && rmdir(n->path)) abort();
}

void muster_platter_survive(muster_disk *d, uint64_t seed) {
  uint64_t random = seed;
  survive_directories(d, d->nodes, &random);
  for (node *n = d->nodes; n; n = n->next) {
    if (n->is_directory) continue;
    char index[4096];
    survive(d, n, &random);
    snprintf(index, sizeof index, "%s-shm", n->path);
    unlink(index);
  }
  remove_lost_directories(d);
}
