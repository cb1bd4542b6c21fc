#ifndef MUSTER_FAULTY_DISK_H
#define MUSTER_FAULTY_DISK_H

#include <stdint.h>

/*
 * An SQLite file system over the usual one, for tests of what survives.
 *
 * It counts calls, makes the Nth of them fail, and keeps aside what was written but not synced, so
 * that at a loss of power it can discard it, or keep some 512-byte sectors of it and not others. The
 * name of a file or a directory is durable once the directory that it is in was synced. SQLite does
 * that at the first sync of a log; for the other names there are functions here. Real syncs are left
 * out: thousands of rounds cost no disk.
 */
typedef struct muster_disk muster_disk;

typedef enum {
  /* Any call fails with the input/output error that fits it; a write leaves half of its bytes. */
  MUSTER_FAULT_IO = 1,
  /* Only writes are counted, and the Nth finds the disk full. */
  MUSTER_FAULT_FULL = 2,
  /* From the Nth call on nothing works any more. */
  MUSTER_FAULT_POWER = 3,
} muster_fault;

/* Registers a file system under a name that is free; null when that fails. */
muster_disk *muster_disk_create(const char *name);
/* The one that was registered under a name. */
muster_disk *muster_disk_named(const char *name);
/* Every file must be closed. */
void muster_disk_destroy(muster_disk *disk);

/* Starts counting at 1 and arms a fault for that call; 0 for none. */
void muster_disk_arm(muster_disk *disk, muster_fault fault, long call);
/* Calls counted since. */
long muster_disk_calls(muster_disk *disk);
/* Whether the armed fault has come. */
int muster_disk_fired(muster_disk *disk);
/* Takes the power away now. */
void muster_disk_cut(muster_disk *disk);
/* Lets calls work again after `MUSTER_FAULT_POWER`, as when only the process has died: what was
 * written is there, and what was not synced can still be lost. All files must be closed. */
void muster_disk_restart(muster_disk *disk);
/* Turns the power on again: files become what survived, chosen by the seed. All must be closed. */
void muster_disk_restore(muster_disk *disk, uint64_t seed);

/* What a store does besides what SQLite does, counted with the other calls: 0, or 1 for an
 * input/output error, or 2 for a full disk. What is there already is left as it is. */
int muster_disk_create_file(muster_disk *disk, const char *path);
int muster_disk_create_directory(muster_disk *disk, const char *path);
int muster_disk_sync_directory(muster_disk *disk, const char *path);

#endif
