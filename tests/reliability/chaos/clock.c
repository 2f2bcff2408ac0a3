/* Puts the wall clock of one process by the nanoseconds that stand in a shared file; time that only grows
 * is left as it is. Loaded with LD_PRELOAD; the file is named by CHAOS_CLOCK. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

struct shared {
    _Atomic int64_t offset;
    _Atomic uint64_t told;
};

static struct shared *shared;

__attribute__((constructor)) static void open_file(void)
{
    const char *path = getenv("CHAOS_CLOCK");
    int file = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    if (file < 0)
        return;
    void *mapped = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    shared = mapped == MAP_FAILED ? NULL : mapped;
}

static void put(struct timespec *at)
{
    int64_t offset = shared ? atomic_load(&shared->offset) : 0;
    if (!offset)
        return;
    int64_t whole = (int64_t)at->tv_sec * 1000000000 + at->tv_nsec + offset;
    at->tv_sec = whole / 1000000000;
    at->tv_nsec = whole % 1000000000;
    atomic_fetch_add(&shared->told, 1);
}

int clock_gettime(clockid_t clock, struct timespec *at)
{
    int failed = syscall(SYS_clock_gettime, clock, at);
    if (!failed && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
        put(at);
    return failed;
}

int gettimeofday(struct timeval *restrict at, void *restrict zone)
{
    struct timespec now;
    (void)zone;
    if (clock_gettime(CLOCK_REALTIME, &now))
        return -1;
    at->tv_sec = now.tv_sec;
    at->tv_usec = now.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *at)
{
    struct timespec now;
    if (clock_gettime(CLOCK_REALTIME, &now))
        return -1;
    if (at)
        *at = now.tv_sec;
    return now.tv_sec;
}
