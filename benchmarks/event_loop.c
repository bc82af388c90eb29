/* From one effective interaction of P_RL to the next, as one writes it for this protocol alone: a list of the arcs whose
   interaction would change something, geometric waits, both arcs beside a changed one examined again.

   cc -O3 -march=native -o event_loop event_loop.c -lm
   ./event_loop FILE N BOUND STEPS SEED0 SEED1 SEED2 SEED3    (FILE holds n packed words; seeds are hex words of xoshiro256++)
   prints: ns_per_effective_interaction events checksum

   It draws what the engine `events` draws, in the same order: events and checksums must agree. */

#define _GNU_SOURCE
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef uint64_t u64;
typedef uint32_t u32;
typedef unsigned __int128 u128;

static u64 s[4];

static inline u64 rotl(u64 x, int k) { return (x << k) | (x >> (64 - k)); }

static inline u64 next(void) {
    u64 out = rotl(s[0] + s[3], 23) + s[0], t = s[1] << 17;
    s[2] ^= s[0]; s[3] ^= s[1]; s[1] ^= s[2]; s[0] ^= s[3]; s[2] ^= t; s[3] = rotl(s[3], 45);
    return out;
}

static double unit(void) {
    for (;;) {
        u64 high = next() >> 11;
        if (high) return (double)high * 0x1p-53;
    }
}

static inline double exponential(void) {
    u64 word = next();
    int flipped = word >= (u64)15 << 60;
    if (flipped) word = ~word;
    double u = (double)(int64_t)(word >> 1);
    if (word < (u64)1 << 54) u += unit();
    u = (u + 0x1p-11) * 0x1p-63;
    return flipped ? -log1p(-u) : -log(u);
}

static inline u64 below(u64 bound) {
    for (;;) {
        u128 product = (u128)next() * bound;
        u64 low = (u64)product;
        if (low >= bound || low >= -bound % bound) return product >> 64;
    }
}

/* ------------------------------------------------------------------------------------------------ P_RL */

typedef struct { int leader, bullet, shield, signal, distL; } RL;

static int N;

static inline int min(int x, int y) { return x < y ? x : y; }
static inline int max(int x, int y) { return x > y ? x : y; }
static inline RL unpack(u32 w) { return (RL){w & 1, w >> 1 & 3, w >> 3 & 1, w >> 4 & 1, w >> 5}; }
static inline u32 pack(RL a) {
    return (u32)a.leader | (u32)a.bullet << 1 | (u32)a.shield << 3 | (u32)a.signal << 4 | (u32)a.distL << 5;
}

static inline void interact(RL *l, RL *r) {
    if (l->leader) l->distL = 0;
    if (r->leader) r->distL = 0;
    else if (r->bullet == 0) r->distL = min(l->distL + 1, N);
    if (r->distL == N) *r = (RL){1, 2, 1, 0, 0};
    if (l->leader && l->signal) { l->bullet = 2; l->shield = 1; l->signal = 0; }
    if (r->leader && r->signal) { r->bullet = 1; r->shield = 0; r->signal = 0; }
    if (l->bullet > 0 && r->leader) {
        if (l->bullet == 2 && !r->shield) r->leader = 0;
        l->bullet = 0;
    } else if (l->bullet > 0) {
        if (r->bullet == 0) r->bullet = l->bullet;
        l->bullet = 0; r->signal = 0;
    }
    l->signal = max(l->signal, max(r->signal, r->leader));
}

static u32 *agents, *active;
static int32_t *where;
static u32 n, k; /* k arcs are active; arc i goes from agent i to the next one */

static inline u32 after(u32 i) { return i + 1 == n ? 0 : i + 1; }

static inline int changes(u32 a, u32 b) {
    RL l = unpack(a), r = unpack(b);
    interact(&l, &r);
    return pack(l) != a || pack(r) != b;
}

static inline void examine(u32 arc) {
    int32_t index = where[arc];
    if (changes(agents[arc], agents[after(arc)])) {
        if (index < 0) { active[k] = arc; where[arc] = k++; }
    } else if (index >= 0) {
        u32 last = active[--k];
        active[index] = last; where[last] = index; where[arc] = -1;
    }
}

int main(int argc, char **argv) {
    if (argc != 9) return 2;
    n = strtoul(argv[2], NULL, 10);
    N = atoi(argv[3]);
    int64_t steps = strtoll(argv[4], NULL, 10), done = 0, events = 0;
    for (int i = 0; i < 4; i++) s[i] = strtoull(argv[5 + i], NULL, 16);
    agents = malloc(4 * (size_t)n); active = malloc(4 * (size_t)n); where = malloc(4 * (size_t)n);
    FILE *file = fopen(argv[1], "rb");
    if (!file || !agents || !active || !where || fread(agents, 4, n, file) != n) return 3;
    for (u32 arc = 0; arc < n; arc++) where[arc] = -1;
    for (u32 arc = 0; arc < n; arc++) examine(arc);
    struct timespec begin, end;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
    while (k) {
        int64_t wait = k == n ? 1 : (int64_t)(exponential() / -log1p(-((double)k / n))) + 1;
        u32 arc = active[below(k)];
        if (wait > steps - done) break;
        done += wait; events++;
        RL l = unpack(agents[arc]), r = unpack(agents[after(arc)]);
        interact(&l, &r);
        agents[arc] = pack(l); agents[after(arc)] = pack(r);
        examine(arc ? arc - 1 : n - 1); examine(arc); examine(after(arc));
    }
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
    u64 sum = 0;
    for (u32 i = 0; i < n; i++) sum += (u64)(i + 1) * agents[i];
    double ns = (end.tv_sec - begin.tv_sec) * 1e9 + (end.tv_nsec - begin.tv_nsec);
    printf("%.2f %" PRId64 " %" PRIu64 "\n", events ? ns / events : 0.0, events, sum);
    return 0;
}
