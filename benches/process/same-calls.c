// The system calls of the native hook for an Edit of a new file, and nothing else: no JSON, no hash, no rule. The peer of
// the row `native`. `same-calls prepare` makes the folders; `same-calls NUMBER`, one number after the other, takes the
// payload from standard input and makes the calls of one event; `same-calls floor ROUNDS` prints the median of one
// update's calls beside that of a bare write, fsync, rename and fsync of the folder, in milliseconds.

#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define STATE ".claude/state"
#define SIDE STATE "/.milepost/implement-checkpoint"
#define DOCUMENT STATE "/implement-checkpoint.json"
#define LOOK (O_RDONLY | O_NONBLOCK | O_CLOEXEC)
#define NEW (O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC)

static char content[2048];

static void fail(const char *what) {
  perror(what);
  exit(1);
}

static void look(const char *path) {
  struct stat found;
  fstatat(AT_FDCWD, path, &found, AT_SYMLINK_NOFOLLOW);
}

static void read_all(const char *path) {
  static char bytes[1 << 16];
  struct stat found;
  int file = open(path, LOOK);
  if (file < 0) return;
  if (fstat(file, &found) != 0) fail("fstat");
  while (read(file, bytes, sizeof bytes) > 0) {
  }
  close(file);
}

static void list(const char *path) {
  DIR *folder = opendir(path);
  if (folder == NULL) fail(path);
  while (readdir(folder) != NULL) {
  }
  closedir(folder);
}

static void write_new(const char *path, size_t length, int is_synced) {
  int file = open(path, NEW, 0600);
  if (file < 0) fail(path);
  if (write(file, content, length) != (ssize_t)length) fail("write");
  if (is_synced && fsync(file) != 0) fail("fsync");
  close(file);
}

static void sync_folder(const char *path) {
  int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0 || fsync(folder) != 0) fail(path);
  close(folder);
}

static void move(const char *from, const char *to) {
  if (rename(from, to) != 0) fail(from);
}

/** The commit: a lock, the document beside its place, the replaced one into the history, the rename, two syncs. */
static void update(const char *name) {
  static const char *const looked_at[] = {
      ".claude", STATE, STATE "/.milepost", SIDE, SIDE "/tokens", SIDE "/history", DOCUMENT, SIDE "/waiting", STATE "/.gitignore",
  };
  char token[256], prepared[300], kept[256], copy[256], next[256];
  unsigned char chance[16];
  snprintf(token, sizeof token, SIDE "/tokens/%s", name);
  snprintf(prepared, sizeof prepared, "%s.new", token);
  snprintf(copy, sizeof copy, SIDE "/history/%s.tmp", name);
  // The event before has written the one that is replaced, for the case of a death.
  snprintf(kept, sizeof kept, SIDE "/history/%d.json", atoi(name) - 1);
  snprintf(next, sizeof next, SIDE "/history/%d.json", atoi(name));
  for (size_t at = 0; at < sizeof looked_at / sizeof *looked_at; at++) look(looked_at[at]);
  if (getrandom(chance, sizeof chance, 0) != sizeof chance) fail("getrandom");
  write_new(SIDE "/lock", 38, 0);
  list(SIDE "/history");
  read_all(DOCUMENT);
  write_new(prepared, 941, 1);
  move(prepared, token);
  list(SIDE "/tokens");
  if (link(DOCUMENT, copy) != 0) fail(copy);
  read_all(copy);
  move(copy, kept);
  move(token, DOCUMENT);
  sync_folder(STATE);
  write_new(next, 941, 0);
  unlink(SIDE "/lock");
}

static void event(const char *name) {
  static char payload[1 << 20];
  struct pollfd input = {.fd = 0, .events = POLLIN};
  while (poll(&input, 1, 3000) > 0 && read(0, payload, sizeof payload) > 0) {
  }
  look(".git");
  look(STATE "/.milepost/.contexts/session-bench.due");
  look(".claude");
  look(STATE);
  list(STATE);
  look(STATE "/.milepost");
  list(STATE "/.milepost");
  look(SIDE);
  look(SIDE "/tokens");
  look(SIDE "/history");
  look(DOCUMENT);
  list(SIDE "/history");
  read_all(DOCUMENT);
  read_all(".git/HEAD");
  read_all(".git/index");
  look(name);
  read_all(".git/HEAD");
  read_all(".git/refs/remotes/origin/HEAD");
  read_all(".git/HEAD");
  read_all(".git/refs/heads/master");
  update(name);
  read_all(".git/index");
}

static void prepare(void) {
  static const char *const folders[] = {".claude", STATE, STATE "/.milepost", STATE "/.milepost/.contexts", SIDE, SIDE "/tokens", SIDE "/history"};
  for (size_t at = 0; at < sizeof folders / sizeof *folders; at++) mkdir(folders[at], 0700);
  write_new(DOCUMENT, 941, 1);
  write_new(STATE "/.gitignore", 2, 0);
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1e3 + time.tv_nsec / 1e6;
}

static void bare(void) {
  write_new(STATE "/bare.new", 941, 1);
  move(STATE "/bare.new", STATE "/bare.json");
  sync_folder(STATE);
}

static int less(const void *one, const void *other) {
  double difference = *(const double *)one - *(const double *)other;
  return (difference > 0) - (difference < 0);
}

static void measure_floor(int rounds) {
  double *of_update = calloc(rounds, sizeof(double)), *of_bare = calloc(rounds, sizeof(double));
  for (int round = 0; round < rounds; round++) {
    char name[32];
    snprintf(name, sizeof name, "%d", round);
    double begun = now();
    bare();
    of_bare[round] = now() - begun;
    begun = now();
    update(name);
    of_update[round] = now() - begun;
  }
  qsort(of_update, rounds, sizeof(double), less);
  qsort(of_bare, rounds, sizeof(double), less);
  printf("%.3f %.3f\n", of_update[rounds / 2], of_bare[rounds / 2]);
}

int main(int count, char **words) {
  memset(content, 'x', sizeof content);
  if (count == 2 && strcmp(words[1], "prepare") == 0) prepare();
  else if (count == 3 && strcmp(words[1], "floor") == 0) measure_floor(atoi(words[2]));
  else if (count == 2) event(words[1]);
  else return 64;
  return 0;
}
