#include "platter.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct {
  sqlite3_file base;
  muster_disk *disk;
  node *node; /* null for a temporary file */
  int syncs_directory;
  sqlite3_file *real;
} file;

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
    muster_node_note(f->node, offset, from, written);
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
    muster_node_note(f->node, size, 0, 0);
    pthread_mutex_unlock(&f->disk->lock);
  }
  return code;
}

static int f_sync(sqlite3_file *base, int flags) {
  file *f = (file *)base;
  (void)flags;
  if (strikes(f->disk, 0)) return SQLITE_IOERR_FSYNC;
  pthread_mutex_lock(&f->disk->lock);
  if (f->node) muster_node_sync(f->node);
  if (f->syncs_directory && f->node) muster_platter_sync_directory_of(f->disk, f->node->path);
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
  f->node = muster_platter_open(d, path, existed);
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
  muster_platter_delete(d, path);
  if (syncs) muster_platter_sync_directory_of(d, path);
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
  muster_platter_open(d, path, existed)->is_directory = is_directory;
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
  muster_platter_sync_directory(d, path);
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
  muster_platter_free(d);
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

void muster_disk_restore(muster_disk *d, uint64_t seed) {
  pthread_mutex_lock(&d->lock);
  muster_platter_survive(d, seed);
  revive(d);
  pthread_mutex_unlock(&d->lock);
}
