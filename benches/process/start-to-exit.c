// Prints the milliseconds from the start of a program to its exit, as a small parent sees them: `start-to-exit PROGRAM
// ARGUMENTS…`. A parent with the memory of Node takes two milliseconds itself to start anything. What the program
// prints is dropped.

#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static double now(void) {
  struct timespec at;
  clock_gettime(CLOCK_MONOTONIC, &at);
  return at.tv_sec * 1e3 + at.tv_nsec / 1e6;
}

static int fail(const char *what, int code) {
  fprintf(stderr, "%s: %s\n", what, strerror(code));
  return 1;
}

int main(int count, char **words) {
  if (count < 2) return fail("a program is expected", 22);
  posix_spawn_file_actions_t streams;
  posix_spawn_file_actions_init(&streams);
  posix_spawn_file_actions_addopen(&streams, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t child;
  int status;
  double begun = now();
  int code = posix_spawn(&child, words[1], &streams, NULL, words + 1, environ);
  if (code != 0) return fail(words[1], code);
  if (waitpid(child, &status, 0) != child) return fail("the program cannot be waited for", 10);
  double ended = now();
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) return fail(words[1], 5);
  printf("%.4f\n", ended - begun);
  return 0;
}
