/* The benchmark's agent: writes one small file and a claim, and logs its start and end (monotonic), the loop's CPU, the prompt's size. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static long long now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

/* CPU of one process and of its ended children, in clock ticks; 0 if unknown. */
static long long ticks_of(const char *process) {
  char name[64], text[1024];
  snprintf(name, sizeof name, "/proc/%.20s/stat", process);
  int file = open(name, O_RDONLY);
  ssize_t length = file < 0 ? -1 : read(file, text, sizeof text - 1);
  if (file >= 0) close(file);
  if (length <= 0) return 0;
  text[length] = 0;
  char *rest = strrchr(text, ')');
  unsigned long user, system;
  long theirs, their_system;
  if (!rest || sscanf(rest + 2, "%*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu %ld %ld", &user, &system, &theirs, &their_system) != 4) return 0;
  return (long long)(user + system) + theirs + their_system;
}

/* CPU of the loop, its ended children, and its remaining helpers. This agent is too young to count. */
static long long ticks(void) {
  const char *loop = getenv("BENCH_LOOP");
  char name[80], text[1024];
  if (!loop) return 0;
  long long sum = ticks_of(loop);
  snprintf(name, sizeof name, "/proc/%.20s/task/%.20s/children", loop, loop);
  int file = open(name, O_RDONLY);
  ssize_t length = file < 0 ? -1 : read(file, text, sizeof text - 1);
  if (file >= 0) close(file);
  if (length <= 0) return sum;
  text[length] = 0;
  for (char *child = strtok(text, " "); child; child = strtok(NULL, " ")) sum += ticks_of(child);
  return sum;
}

/* The number of bytes on stdin, which is the prompt. */
static long long prompt(void) {
  char text[65536];
  long long sum = 0;
  for (ssize_t got; (got = read(0, text, sizeof text)) > 0;) sum += got;
  return sum;
}

/* argv: the log file, "each" (a file per item) or "same" (one file, rewritten), and the milliseconds of work. */
int main(int argc, char **argv) {
  long long start = now();
  long long used = ticks();
  long long read_bytes = prompt();
  const char *item = getenv("RALPH_ITEM");
  char text[512];
  if (argc < 3 || !item) return 2;
  snprintf(text, sizeof text, "work/%.200s.txt", strcmp(argv[2], "each") ? "same" : item);
  int file = open(text, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (argc > 3) usleep(1000 * (useconds_t)atoi(argv[3]));
  int length = snprintf(text, sizeof text, "%.200s %lld\n", item, start);
  if (file < 0 || write(file, text, length) != length || close(file) != 0) return 3;
  length = snprintf(text, sizeof text, "Wrote the file.\n\nRALPH_TASK_COMPLETE: %.200s\n", item);
  if (write(1, text, length) != length) return 4;
  int log = open(argv[1], O_WRONLY | O_CREAT | O_APPEND, 0644);
  length = snprintf(text, sizeof text, "%lld %lld %lld %lld\n", start, now(), used, read_bytes);
  return log >= 0 && write(log, text, length) == length ? 0 : 5;
}
