/* The agent of the benchmark: one small file, one claim, and a line with its own start and end on the monotonic clock. */
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

/* argv: the file to log to, "each" (a file per item) or "same" (one file, rewritten), and how many milliseconds it works. */
int main(int argc, char **argv) {
  long long start = now();
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
  length = snprintf(text, sizeof text, "%lld %lld\n", start, now());
  return log >= 0 && write(log, text, length) == length ? 0 : 5;
}
