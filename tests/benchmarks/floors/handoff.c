/* Two threads hand one number back and forth, each asleep on a condition until it is its turn. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct box {
    pthread_mutex_t lock;
    pthread_cond_t filled;
    long long sent; /* when it was put in; 0 while the box is empty */
};

static struct box boxes[2];
static long long *taken; /* nanoseconds of each hop, in the order of the hops */
static int rounds;

static long long now(clockid_t clock) {
    struct timespec at;
    clock_gettime(clock, &at);
    return at.tv_sec * 1000000000LL + at.tv_nsec;
}

static void put(struct box *box) {
    pthread_mutex_lock(&box->lock);
    box->sent = now(CLOCK_MONOTONIC);
    pthread_cond_signal(&box->filled);
    pthread_mutex_unlock(&box->lock);
}

static long long take(struct box *box) {
    pthread_mutex_lock(&box->lock);
    while (box->sent == 0) pthread_cond_wait(&box->filled, &box->lock);
    long long sent = box->sent;
    box->sent = 0;
    pthread_mutex_unlock(&box->lock);
    return now(CLOCK_MONOTONIC) - sent;
}

static void *answer(void *nothing) {
    for (int round = 0; round < rounds; round++) {
        taken[2 * round] = take(&boxes[1]);
        put(&boxes[0]);
    }
    return nothing;
}

static int compare(const void *one, const void *other) {
    long long left = *(const long long *)one, right = *(const long long *)other;
    return (left > right) - (left < right);
}

int main(int count, char **words) {
    if (count != 3) return fprintf(stderr, "handoff ROUNDS free|pinned\n"), 2;
    rounds = atoi(words[1]);
    taken = calloc(2 * (size_t)rounds, sizeof *taken);
    if (rounds <= 0 || taken == NULL) return fprintf(stderr, "give a number of rounds\n"), 2;
    if (strcmp(words[2], "pinned") == 0) {
        cpu_set_t first;
        CPU_ZERO(&first);
        CPU_SET(sched_getcpu(), &first);
        if (sched_setaffinity(0, sizeof first, &first)) return perror("sched_setaffinity"), 1;
    }
    for (int each = 0; each < 2; each++) {
        pthread_mutex_init(&boxes[each].lock, NULL);
        pthread_cond_init(&boxes[each].filled, NULL);
    }
    pthread_t other;
    if (pthread_create(&other, NULL, answer, NULL)) return perror("pthread_create"), 1;
    long long cpu = now(CLOCK_PROCESS_CPUTIME_ID), began = now(CLOCK_MONOTONIC);
    for (int round = 0; round < rounds; round++) {
        put(&boxes[1]);
        taken[2 * round + 1] = take(&boxes[0]);
    }
    double lasted = (double)(now(CLOCK_MONOTONIC) - began);
    cpu = now(CLOCK_PROCESS_CPUTIME_ID) - cpu;
    pthread_join(other, NULL);
    int hops = 2 * rounds;
    qsort(taken, (size_t)hops, sizeof *taken, compare);
    printf("{\"values\": {\"p50_us\": %.3f, \"p99_us\": %.3f, \"cpu_us\": %.3f, \"per_second\": %.0f}}\n",
           (double)taken[hops / 2] / 1e3, (double)taken[hops / 100 * 99] / 1e3,
           (double)cpu / 1e3 / hops, hops * 1e9 / lasted);
    return 0;
}
