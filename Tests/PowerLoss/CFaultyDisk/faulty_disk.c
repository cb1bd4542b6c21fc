#include "faulty_disk.h"

#include <fcntl.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SECTOR 512

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

typedef struct {
  sqlite3_file base;
  muster_disk *disk;
  node *node; /* null for a temporary file */
  int syncs_directory;
  sqlite3_file *real;
} file;

/* ---- tracking ---- */

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

static void note(node *n, sqlite3_int64 offset, const void *bytes, int count) {
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

static void sync_file(node *n) {
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

static void sync_directory(muster_disk *d, const char *directory) {
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

/* As SQLite does it at the first sync of a log, and after it has deleted one. */
static void sync_directory_of(muster_disk *d, const char *path) {
  char *directory = strdup(path);
  *strrchr(directory, '/') = 0;
  sync_directory(d, directory);
  free(directory);
}

/* A file that was there before we looked is taken to be on the platter, name and all. */
static node *open_node(muster_disk *d, const char *path, int existed) {
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

static void delete_node(node *n) {
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

/* ---- faults ---- */

/* Counts a call; nonzero when it must fail. */
static int strikes(muster_disk *d, int is_write) {
  pthread_mutex_lock(&d->lock);
  int hit = 0;
  if (d->fault != MUSTER_FAULT_FULL || is_write) {
    d->calls++;
    hit = d->calls == d->fault_call;
  }
  if (hit) {
    d->fired = 1;
    if (d->fault == MUSTER_FAULT_POWER) d->is_dead = 1;
  }
  hit = hit || d->is_dead;
  pthread_mutex_unlock(&d->lock);
  return hit;
}

/* ---- one file ---- */

static int f_close(sqlite3_file *base) {
  file *f = (file *)base;
  return f->real->pMethods ? f->real->pMethods->xClose(f->real) : SQLITE_OK;
}

static int f_read(sqlite3_file *base, void *to, int count, sqlite3_int64 offset) {
  file *f = (file *)base;
  if (strikes(f->disk, 0)) return SQLITE_IOERR_READ;
  return f->real->pMethods->xRead(f->real, to, count, offset);
}

static int f_write(sqlite3_file *base, const void *from, int count, sqlite3_int64 offset) {
  file *f = (file *)base;
  int hit = strikes(f->disk, 1);
  int was_dead = f->disk->is_dead && f->disk->calls != f->disk->fault_call;
  if (hit && (was_dead || f->disk->fault == MUSTER_FAULT_FULL))
    return was_dead ? SQLITE_IOERR_WRITE : SQLITE_FULL;
  int written = hit ? count / 2 : count;
  int code = f->real->pMethods->xWrite(f->real, from, written, offset);
  if (code == SQLITE_OK && f->node) {
    pthread_mutex_lock(&f->disk->lock);
    note(f->node, offset, from, written);
    pthread_mutex_unlock(&f->disk->lock);
  }
  return hit ? SQLITE_IOERR_WRITE : code;
}

static int f_truncate(sqlite3_file *base, sqlite3_int64 size) {
  file *f = (file *)base;
  if (strikes(f->disk, 0)) return SQLITE_IOERR_TRUNCATE;
  int code = f->real->pMethods->xTruncate(f->real, size);
  if (code == SQLITE_OK && f->node) {
    pthread_mutex_lock(&f->disk->lock);
    note(f->node, size, 0, 0);
    pthread_mutex_unlock(&f->disk->lock);
  }
  return code;
}

static int f_sync(sqlite3_file *base, int flags) {
  file *f = (file *)base;
  (void)flags;
  if (strikes(f->disk, 0)) return SQLITE_IOERR_FSYNC;
  pthread_mutex_lock(&f->disk->lock);
  if (f->node) sync_file(f->node);
  if (f->syncs_directory && f->node) sync_directory_of(f->disk, f->node->path);
  f->syncs_directory = 0;
  pthread_mutex_unlock(&f->disk->lock);
  return SQLITE_OK;
}

static int f_size(sqlite3_file *base, sqlite3_int64 *size) {
  file *f = (file *)base;
  if (strikes(f->disk, 0)) return SQLITE_IOERR_FSTAT;
  return f->real->pMethods->xFileSize(f->real, size);
}

static int f_lock(sqlite3_file *base, int level) {
  file *f = (file *)base;
  return f->real->pMethods->xLock(f->real, level);
}
static int f_unlock(sqlite3_file *base, int level) {
  file *f = (file *)base;
  return f->real->pMethods->xUnlock(f->real, level);
}
static int f_reserved(sqlite3_file *base, int *out) {
  file *f = (file *)base;
  return f->real->pMethods->xCheckReservedLock(f->real, out);
}
static int f_control(sqlite3_file *base, int operation, void *argument) {
  file *f = (file *)base;
  /* It would change the file's size behind our back. */
  if (operation == SQLITE_FCNTL_SIZE_HINT) return SQLITE_OK;
  return f->real->pMethods->xFileControl(f->real, operation, argument);
}
static int f_sector(sqlite3_file *base) {
  file *f = (file *)base;
  return f->real->pMethods->xSectorSize(f->real);
}
static int f_traits(sqlite3_file *base) {
  file *f = (file *)base;
  return f->real->pMethods->xDeviceCharacteristics(f->real);
}
static int f_shm_map(sqlite3_file *base, int page, int size, int extend, void volatile **out) {
  file *f = (file *)base;
  if (strikes(f->disk, 0)) return SQLITE_IOERR_SHMMAP;
  return f->real->pMethods->xShmMap(f->real, page, size, extend, out);
}
static int f_shm_lock(sqlite3_file *base, int offset, int count, int flags) {
  file *f = (file *)base;
  return f->real->pMethods->xShmLock(f->real, offset, count, flags);
}
static void f_shm_barrier(sqlite3_file *base) {
  file *f = (file *)base;
  f->real->pMethods->xShmBarrier(f->real);
}
static int f_shm_unmap(sqlite3_file *base, int deletes) {
  file *f = (file *)base;
  return f->real->pMethods->xShmUnmap(f->real, deletes);
}

/* Version 2: shared memory, but no memory-mapped reads, which could not be counted. */
static const sqlite3_io_methods methods = {
    2,          f_close,   f_read,       f_write,    f_truncate,    f_sync,
    f_size,     f_lock,    f_unlock,     f_reserved, f_control,     f_sector,
    f_traits,   f_shm_map, f_shm_lock,   f_shm_barrier, f_shm_unmap, 0, 0};

/* ---- the file system ---- */

static int v_open(sqlite3_vfs *vfs, const char *path, sqlite3_file *base, int flags, int *out) {
  muster_disk *d = (muster_disk *)vfs;
  file *f = (file *)base;
  memset(f, 0, sizeof *f);
  if (strikes(d, 0)) return SQLITE_CANTOPEN;
  f->disk = d;
  f->real = (sqlite3_file *)(f + 1);
  int existed = path && access(path, F_OK) == 0;
  int code = d->real->xOpen(d->real, path, f->real, flags, out);
  if (f->real->pMethods) f->base.pMethods = &methods;
  if (code != SQLITE_OK || !path) return code;
  pthread_mutex_lock(&d->lock);
  f->node = open_node(d, path, existed);
  int logs = SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_SUPER_JOURNAL;
  /* SQLite's own does the same, also for a log that was there. */
  f->syncs_directory = (flags & logs) != 0 && (flags & SQLITE_OPEN_CREATE) != 0;
  pthread_mutex_unlock(&d->lock);
  return code;
}

static int v_delete(sqlite3_vfs *vfs, const char *path, int syncs) {
  muster_disk *d = (muster_disk *)vfs;
  if (strikes(d, 0)) return SQLITE_IOERR_DELETE;
  int code = d->real->xDelete(d->real, path, 0);
  if (code != SQLITE_OK) return code;
  pthread_mutex_lock(&d->lock);
  delete_node(find(d, path));
  if (syncs) sync_directory_of(d, path);
  pthread_mutex_unlock(&d->lock);
  return code;
}

static int v_access(sqlite3_vfs *vfs, const char *path, int flags, int *out) {
  muster_disk *d = (muster_disk *)vfs;
  if (strikes(d, 0)) return SQLITE_IOERR_ACCESS;
  return d->real->xAccess(d->real, path, flags, out);
}

static int v_full_path(sqlite3_vfs *vfs, const char *path, int count, char *out) {
  muster_disk *d = (muster_disk *)vfs;
  return d->real->xFullPathname(d->real, path, count, out);
}

/* ---- names that SQLite does not make ---- */

/* 0, or what is wrong: 1 an input/output error, 2 no room. */
static int strikes_name(muster_disk *d) {
  return strikes(d, 1) ? (d->fault == MUSTER_FAULT_FULL ? 2 : 1) : 0;
}

static void note_name(muster_disk *d, const char *path, int existed, int is_directory) {
  pthread_mutex_lock(&d->lock);
  open_node(d, path, existed)->is_directory = is_directory;
  pthread_mutex_unlock(&d->lock);
}

int muster_disk_create_file(muster_disk *d, const char *path) {
  int fault = strikes_name(d);
  if (fault) return fault;
  int existed = access(path, F_OK) == 0;
  int descriptor = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0600);
  if (descriptor < 0) return 1;
  close(descriptor);
  note_name(d, path, existed, 0);
  return 0;
}

int muster_disk_create_directory(muster_disk *d, const char *path) {
  int fault = strikes_name(d);
  if (fault) return fault;
  if (access(path, F_OK) == 0) return 0;
  if (mkdir(path, 0700)) return 1;
  note_name(d, path, 0, 1);
  return 0;
}

int muster_disk_sync_directory(muster_disk *d, const char *path) {
  if (strikes(d, 0)) return 1;
  pthread_mutex_lock(&d->lock);
  sync_directory(d, path);
  pthread_mutex_unlock(&d->lock);
  return 0;
}

/* ---- */

muster_disk *muster_disk_create(const char *name) {
  sqlite3_initialize();
  muster_disk *d = calloc(1, sizeof *d);
  d->real = sqlite3_vfs_find(0);
  d->vfs = *d->real;
  d->vfs.iVersion = 1;
  d->vfs.szOsFile = (int)sizeof(file) + d->real->szOsFile;
  d->vfs.pNext = 0;
  d->vfs.zName = strdup(name);
  d->vfs.xOpen = v_open;
  d->vfs.xDelete = v_delete;
  d->vfs.xAccess = v_access;
  d->vfs.xFullPathname = v_full_path;
  pthread_mutex_init(&d->lock, 0);
  if (sqlite3_vfs_register(&d->vfs, 0) == SQLITE_OK) return d;
  free(d);
  return 0;
}

muster_disk *muster_disk_named(const char *name) {
  return (muster_disk *)sqlite3_vfs_find(name);
}

void muster_disk_destroy(muster_disk *d) {
  sqlite3_vfs_unregister(&d->vfs);
  while (d->nodes) {
    node *next = d->nodes->next;
    forget_ops(d->nodes);
    clear(&d->nodes->durable);
    clear(&d->nodes->old);
    free(d->nodes->path);
    free(d->nodes);
    d->nodes = next;
  }
  pthread_mutex_destroy(&d->lock);
  free((char *)d->vfs.zName);
  free(d);
}

void muster_disk_arm(muster_disk *d, muster_fault fault, long call) {
  pthread_mutex_lock(&d->lock);
  d->fault = fault;
  d->fault_call = call;
  d->calls = 0;
  d->fired = 0;
  pthread_mutex_unlock(&d->lock);
}

long muster_disk_calls(muster_disk *d) { return d->calls; }
int muster_disk_fired(muster_disk *d) { return d->fired; }

void muster_disk_cut(muster_disk *d) {
  pthread_mutex_lock(&d->lock);
  d->is_dead = 1;
  pthread_mutex_unlock(&d->lock);
}

static void revive(muster_disk *d) {
  d->is_dead = 0;
  d->fault_call = 0;
  d->calls = 0;
}

void muster_disk_restart(muster_disk *d) {
  pthread_mutex_lock(&d->lock);
  revive(d);
  pthread_mutex_unlock(&d->lock);
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

void muster_disk_restore(muster_disk *d, uint64_t seed) {
  uint64_t random = seed;
  pthread_mutex_lock(&d->lock);
  survive_directories(d, d->nodes, &random);
  for (node *n = d->nodes; n; n = n->next) {
    if (n->is_directory) continue;
    char index[4096];
    survive(d, n, &random);
    snprintf(index, sizeof index, "%s-shm", n->path);
    unlink(index);
  }
  remove_lost_directories(d);
  revive(d);
  pthread_mutex_unlock(&d->lock);
}
