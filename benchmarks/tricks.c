/* Hand-written simulation loops: the yardstick for the simulator's own engines.

   cc -O3 -march=native -o tricks tricks.c -lm
   ./tricks PROTOCOL N_AGENTS STEPS SEED0 SEED1 SEED2 SEED3 PARAM...    (SEED: hex words, the state of xoshiro256++)
       p_ll m                               complete graph, Tournament repaired
       p_rl N                               directed ring
       p_pl N c virus_factor emit_factor    complete graph
   prints: ns_per_interaction leaders checksum first
       first = number of interactions after which there was exactly one leader for the first time (0: at the start,
       -1: never). The environment variable LOOP=plain or LOOP=ahead overrides the choice of loop; pairs are used in
       the order in which they are drawn, so leaders, checksum and first are the same in both.

   Why it is fast. An agent is one word: one load, one store, one cache line. Tests that are each rarely true are
   branches, all predicted. A test that is true for an unpredictable half of the pairs would cost a misprediction
   (about 5 ns), so it is written with masks or, in P_RL, looked up. Masks, not ?: or &, because gcc 12 turns those
   back into branches; the factor measured is given where it was done. */

#define _GNU_SOURCE
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

typedef uint64_t u64;
typedef uint32_t u32;
typedef unsigned __int128 u128;

#define INLINE static inline __attribute__((always_inline))
#define unlikely(c) __builtin_expect(!!(c), 0)
#define BITS(first, last) ((~0ULL >> (63 - (last))) & (~0ULL << (first)))
#define LEADER 1ULL                                   /* bit 0 in every protocol: the loops count it */

/* ---------------------------------------------------------------- random pairs */

typedef struct { u64 s0, s1, s2, s3; } Rng;
typedef struct { u32 i, j; } Pair;                    /* initiator, responder */

INLINE u64 rotl(u64 x, int k) { return (x << k) | (x >> (64 - k)); }

INLINE u64 next(Rng *r) {
    u64 out = rotl(r->s0 + r->s3, 23) + r->s0, t = r->s1 << 17;
    r->s2 ^= r->s0; r->s3 ^= r->s1; r->s1 ^= r->s2; r->s0 ^= r->s3;
    r->s2 ^= t; r->s3 = rotl(r->s3, 45);
    return out;
}

/* One draw gives both agents: x * n(n-1) / 2^64 is the number of the pair, multiplied out in two steps. `reject` is
   2^64 mod the number of pairs: without that many draws, every pair has exactly the same number of draws left. */
INLINE Pair draw_complete(Rng *r, u64 n, u64 reject) {
    u128 m1, m2;
    do m1 = (u128)next(r) * n, m2 = (u128)(u64)m1 * (n - 1); while (unlikely((u64)m2 < reject));
    u32 i = m1 >> 64, j = m2 >> 64;
    return (Pair){i, j + (j >= i)};
}

INLINE Pair draw_ring(Rng *r, u64 n, u64 reject) {
    u128 m;
    do m = (u128)next(r) * n; while (unlikely((u64)m < reject));
    u32 k = m >> 64;
    return (Pair){k, k + 1 == n ? 0 : k + 1};
}

INLINE u64 reject_complete(u64 n) { return -(n * (n - 1)) % (n * (n - 1)); }
INLINE u64 reject_ring(u64 n) { return -n % n; }

/* ---------------------------------------------------------------- P_LL */

typedef struct { u64 c_max, top; int lg; } p_ll_param;  /* 41 m; top = 2^lg, the smallest finished nonce */

#define LL_A (1ULL << 1)
#define LL_B (1ULL << 2)
#define LL_STATUS (LL_A | LL_B)                       /* 0: X */
#define LL_EPOCH BITS(3, 4)
#define LL_INIT BITS(5, 6)
#define LL_COLOR BITS(7, 8)
#define LL_DONE (1ULL << 9)
#define LL_COUNT BITS(10, 22)
#define LL_LEVELQ BITS(23, 35)
#define LL_RAND BITS(36, 48)
#define LL_LEVELB BITS(49, 61)

INLINE void ll_assign(u64 *a, u64 *b) {               /* lines 1-6; at least one of the two is X */
    if (!(*a & LL_STATUS) && !(*b & LL_STATUS)) *a |= LL_A, *b = (*b | LL_B) & ~LEADER;
    else if (!(*a & LL_STATUS)) *a = (*a | LL_A | LL_DONE) & ~LEADER;
    else *b = (*b | LL_A | LL_DONE) & ~LEADER;
}

INLINE u64 ll_next_color(u64 w) { return (w & LL_COLOR) == 2 << 7 ? 0 : (w & LL_COLOR) + (1 << 7); }
INLINE u64 ll_recolor(u64 w, u64 color) { return (w & ~(LL_COUNT | LL_COLOR)) | color; }  /* V_A has count 0 anyway */

INLINE u64 ll_enter(u64 w, u64 epoch, u64 top) {      /* lines 11-15 */
    if ((w & LL_INIT) >> 5 < epoch && w & LL_A) {
        w &= ~(LL_DONE | LL_LEVELQ | LL_RAND);        /* variables of a group it has left are 0 */
        if (epoch == 2) w |= (w & LEADER ? 1 : top) << 36;      /* the repair: a follower starts finished */
    }
    return (w & ~(LL_EPOCH | LL_INIT)) | epoch << 3 | epoch << 5;
}

/* Colours or epochs differ, or a count has reached c_max: lines 25-34 and 9-15. Returns tick of the initiator; the
   responder's tick is never read later. */
static inline u64 ll_synchronise(u64 *pa, u64 *pb, const p_ll_param *p) {
    u64 a = *pa, b = *pb, tick_a = 0, tick_b = 0;
    if ((a & LL_COUNT) >> 10 == p->c_max) a = ll_recolor(a, ll_next_color(a)), tick_a = 1;
    if ((b & LL_COUNT) >> 10 == p->c_max) b = ll_recolor(b, ll_next_color(b)), tick_b = 1;
    if ((b & LL_COLOR) == ll_next_color(a)) a = ll_recolor(a, b & LL_COLOR), tick_a = 1;
    else if ((a & LL_COLOR) == ll_next_color(b)) b = ll_recolor(b, a & LL_COLOR), tick_b = 1;
    u64 ea = ((a & LL_EPOCH) >> 3) + tick_a, eb = ((b & LL_EPOCH) >> 3) + tick_b;
    u64 epoch = ea > eb ? ea : eb;                    /* lines 9 and 10: min(., 3) commutes with max */
    if (epoch > 3) epoch = 3;
    *pa = ll_enter(a, epoch, p->top), *pb = ll_enter(b, epoch, p->top);
    return tick_a;
}

INLINE void ll_epidemic(u64 *a, u64 *b, u64 field) {  /* the smaller value loses: lines 40-41, 47-48, 54-55 */
    if ((*a & field) < (*b & field)) *a = (*a & ~(field | LEADER)) | (*b & field);
    else *b = (*b & ~(field | LEADER)) | (*a & field);
}

/* All ones if both words have the bit, else 0. A pair of A and B nearly always differs in the field of an epidemic, a
   pair of two A hardly ever: only "both and different" is rare. As two branches P_LL took 1.4 to 1.7 times as long. */
INLINE u64 both(u64 a, u64 b, int bit) { return -((a & b) >> bit & 1); }

INLINE void p_ll(u64 *pa, u64 *pb, const p_ll_param *p) {
    u64 a = *pa, b = *pb, tick_a = 0;
    if (unlikely(!(a & LL_STATUS)) || unlikely(!(b & LL_STATUS))) ll_assign(&a, &b);
    a += (a & LL_B) << 8;                             /* line 24 without asking who is B: bit 2 moves to bit 10 */
    b += (b & LL_B) << 8;
    if (unlikely((a & LL_COUNT) == p->c_max << 10) || unlikely((b & LL_COUNT) == p->c_max << 10) ||
        unlikely((a ^ b) & (LL_COLOR | LL_EPOCH)))
        tick_a = ll_synchronise(&a, &b, p);
    u64 epoch = (a & LL_EPOCH) >> 3;                  /* now the same in both agents */
    if (epoch == 1) {                                 /* QuickElimination; done implies V_A */
        if (unlikely((a ^ b) & LEADER)) {             /* a branch: coins are flipped early. Over 100 n steps 1.3 x */
            if (b & LEADER) b |= LL_DONE;
            else if (!(a & LL_DONE) && (a & LL_LEVELQ) >> 23 < p->c_max) a += 1 << 23;
        }
        if (unlikely((a ^ b) & LL_LEVELQ & both(a, b, 9))) ll_epidemic(&a, &b, LL_LEVELQ);
    } else if (epoch == 2) {                          /* Tournament; bit lg of rand is set iff it is finished */
        u64 ra = (a & LL_RAND) >> 36, rb = (b & LL_RAND) >> 36;
        if (unlikely((a ^ b) & LEADER)) {
            if (a & LEADER && ra < p->top) a += ra << 36;                       /* 2 rand */
            if (b & LEADER && rb < p->top) b += (rb + 1) << 36;                 /* 2 rand + 1 */
        }
        if (unlikely((a ^ b) & LL_RAND & both(a, b, 36 + p->lg))) ll_epidemic(&a, &b, LL_RAND);
    } else {                                          /* BackUp */
        if (unlikely(tick_a & a & LEADER) && (a & LL_LEVELB) >> 49 < p->c_max) a += 1ULL << 49;
        if (unlikely((a ^ b) & LL_LEVELB & both(a, b, 1))) ll_epidemic(&a, &b, LL_LEVELB);
        if (unlikely(a & b & LEADER)) b &= ~LEADER;
    }
    *pa = a, *pb = b;
}

/* ---------------------------------------------------------------- P_RL */

enum { RL_DUMMY = 1 << 1, RL_LIVE = 2 << 1, RL_BULLET = 6, RL_SHIELD = 8, RL_SIGNAL = 16, RL_FLAGS = 31,
       RL_CREATED = 1 | RL_LIVE | RL_SHIELD };

/* Everything but distL is five bits, so the rule is a table of 1024 pairs (8 KB, of which few lines are in use). It
   is 1.4 to 2 times as fast as the rule in branches and 2 times as fast as in masks. The three masks select what
   distL becomes, and are -32 (the bits of distL; sign extension comes with the load) or 0. */
typedef struct { _Alignas(8) int8_t l_keeps, r_keeps, r_takes; uint8_t l, r; } RlRule;
typedef struct { u32 limit; const RlRule *rule; } p_rl_param;   /* N << 5, where distL is */

static const RlRule *rl_rules(void) {
    static RlRule rule[1024];
    for (u32 k = 0; k < 1024; k++) {
        u32 l = k & RL_FLAGS, r = k >> 5, bullet;
        rule[k].l_keeps = l & LEADER ? 0 : -32;                                 /* line 1 */
        rule[k].r_keeps = !(r & LEADER) && r & RL_BULLET ? -32 : 0;             /* line 2 */
        rule[k].r_takes = !(r & LEADER) && !(r & RL_BULLET) ? -32 : 0;
        if (l & LEADER && l & RL_SIGNAL) l = LEADER | RL_LIVE | RL_SHIELD;      /* lines 6-7 */
        if (r & LEADER && r & RL_SIGNAL) r = LEADER | RL_DUMMY;                 /* lines 8-9 */
        bullet = l & RL_BULLET;
        if (bullet && r & LEADER) {                                             /* lines 10-12 */
            if (bullet == RL_LIVE && !(r & RL_SHIELD)) r &= ~LEADER;
        } else if (bullet) {                                                    /* lines 13-15 */
            if (!(r & RL_BULLET)) r |= bullet;
            r &= ~RL_SIGNAL;
        }
        l &= ~RL_BULLET;
        if (r & (LEADER | RL_SIGNAL)) l |= RL_SIGNAL;                           /* line 16 */
        rule[k].l = l, rule[k].r = r;
    }
    return rule;
}

INLINE void p_rl(u32 *pl, u32 *pr, const p_rl_param *p) {
    u32 l = *pl, r = *pr;
    const RlRule *e = p->rule + ((l & RL_FLAGS) | (r & RL_FLAGS) << 5);
    u32 dist_l = l & e->l_keeps, more = dist_l + 32 < p->limit ? dist_l + 32 : p->limit;
    u32 dist_r = (r & e->r_keeps) | (more & e->r_takes);
    if (unlikely(dist_r == p->limit)) dist_r = 0, e = p->rule + ((l & RL_FLAGS) | RL_CREATED << 5);   /* lines 3-5 */
    *pl = dist_l | e->l, *pr = dist_r | e->r;
}

/* ---------------------------------------------------------------- P_PL */

typedef struct { u64 t_virus, t_max, t_emit; } p_pl_param;      /* shifted to where the fields are */

#define PL_SHIELD 2ULL
#define PL_VIRUS BITS(2, 21)
#define PL_TIMERL BITS(22, 41)
#define PL_TIMERI BITS(42, 61)
#define PL_ONE_V (1U << 2)
#define PL_ONE_L (1ULL << 22)
#define PL_ONE_I (1ULL << 42)

INLINE void p_pl(u64 *pa, u64 *pb, const p_pl_param *p) {
    u64 a = *pa, b = *pb, leader_a = a, leader_b = b, any = (a | b) & LEADER;
    u64 la = a & PL_TIMERL, lb = b & PL_TIMERL, timer = la > lb ? la : lb;
    if (unlikely(timer <= PL_ONE_L)) any = leader_a = leader_b = 1;             /* lines 1-2: one less is 0 */
    timer = ((timer - PL_ONE_L) & (any - 1)) | (p->t_max & -any);               /* line 3; as ?: 1.3 x slower */
    u32 va = a & PL_VIRUS, vb = b & PL_VIRUS, virus = va > vb ? va : vb;
    virus = (virus > PL_ONE_V ? virus : PL_ONE_V) - PL_ONE_V;                   /* line 4 */
    u64 clean = virus == 0;
    leader_a &= (a >> 1 | clean) & LEADER;                                      /* line 5: shielded, or no virus */
    leader_b &= (b >> 1 | clean) & LEADER;
    u64 common = timer + virus - PL_ONE_I;                                      /* line 6: timer_I falls by one */
    *pa = (a & (PL_TIMERI | PL_SHIELD)) + leader_a + common;
    *pb = (b & (PL_TIMERI | PL_SHIELD)) + leader_b + common;
    if (unlikely(a < 2 * PL_ONE_I)) {                                           /* timer_I, the top field, was 0 or 1 */
        *pa += p->t_emit + PL_ONE_I - (a & PL_TIMERI);                          /* line 9 */
        if (leader_a) *pa = (*pa & ~PL_VIRUS) | p->t_virus | PL_SHIELD;         /* line 7 */
    }
    if (unlikely(b < 2 * PL_ONE_I)) {
        *pb += p->t_emit + PL_ONE_I - (b & PL_TIMERI);
        if (leader_b) *pb &= ~PL_SHIELD;                                        /* line 8 */
    }
}

/* ---------------------------------------------------------------- loops */

typedef struct { u64 leaders; int64_t first; } Goal;

/* The number of leaders is exact after every interaction. It changes seldom: a branch is 1.0 to 1.2 times as fast as
   adding the difference every time. The protocols get copies in registers, because *pa and *pb could be the same word
   for all the compiler knows. */
#define STEP(PROTOCOL, WORD, PAIR) do {                                                         \
        WORD *pa = w + (PAIR).i, *pb = w + (PAIR).j, a = *pa, b = *pb, a0 = a, b0 = b;          \
        PROTOCOL(&a, &b, &param);                                                               \
        *pa = a, *pb = b;                                                                       \
        if (unlikely(((a ^ a0) | (b ^ b0)) & LEADER)) {                                         \
            g.leaders += (a & LEADER) + (b & LEADER) - (a0 & LEADER) - (b0 & LEADER);           \
            if (g.leaders == 1 && g.first < 0) g.first = step + 1;                              \
        }                                                                                       \
    } while (0)

/* `ahead` draws each pair AHEAD interactions before its use and prefetches both agents. Measured on an EPYC (Zen 3, L1
   32 KB, L2 512 KB, L3 32 MB) that was busy with other work, time of plain / time of ahead, best of many runs:
       n       10^3        10^4        4*10^4      10^5        10^6        10^7
       p_ll    1.0         1.0 - 1.1   1.1 - 1.2   1.5         1.7 - 3.6   3.8 - 4.0
       p_rl    1.0         1.0         1.0 - 1.1   1.1 - 1.4   1.6 - 2.3   4.8 - 6.0
       p_pl    0.9 - 1.0   1.1         1.2 - 1.3   1.5 - 1.6   2.0 - 2.6   4.8 - 5.2
   At 10^7, 8 ahead is 1.2 to 2 times as slow as 32, 16 is 1.0 to 1.3, 64 is 0.9 to 1.0. Blocks (draw and prefetch 32
   pairs, then use them) are 1.8 to 2.2 times as slow there: no memory is fetched while a block is used. */
#define AHEAD 32
#define AHEAD_BYTES (64 << 10)                        /* twice L1: from here on `ahead` is not slower */

#define LOOPS(PROTOCOL, WORD, GRAPH)                                                            \
    static Goal PROTOCOL##_plain(WORD *w, u64 n, int64_t steps, Rng rng, PROTOCOL##_param param, Goal g) { \
        u64 reject = reject_##GRAPH(n);                                                         \
        for (int64_t step = 0; step < steps; step++) {                                          \
            Pair now = draw_##GRAPH(&rng, n, reject);                                           \
            STEP(PROTOCOL, WORD, now);                                                          \
        }                                                                                       \
        return g;                                                                               \
    }                                                                                           \
    static Goal PROTOCOL##_ahead(WORD *w, u64 n, int64_t steps, Rng rng, PROTOCOL##_param param, Goal g) { \
        u64 reject = reject_##GRAPH(n);                                                         \
        Pair drawn[AHEAD];                                                                      \
        for (int k = 0; k < AHEAD; k++) drawn[k] = draw_##GRAPH(&rng, n, reject);               \
        for (int64_t step = 0; step < steps; step++) {                                          \
            Pair now = drawn[step % AHEAD], later = draw_##GRAPH(&rng, n, reject);              \
            drawn[step % AHEAD] = later;                                                        \
            __builtin_prefetch(w + later.i, 1), __builtin_prefetch(w + later.j, 1);             \
            STEP(PROTOCOL, WORD, now);                                                          \
        }                                                                                       \
        return g;                                                                               \
    }

LOOPS(p_ll, u64, complete) LOOPS(p_rl, u32, ring) LOOPS(p_pl, u64, complete)

/* ---------------------------------------------------------------- driver */

static void need(int ok, const char *what) {
    if (!ok) { fprintf(stderr, "tricks: %s\n", what); exit(2); }
}

static void *allocate(size_t bytes) {                 /* huge pages, as numpy asks for them: else each access of a */
    const size_t page = 2 << 20;                      /* large population misses the TLB too (1.05 to 1.3 x) */
    bytes = (bytes + page - 1) / page * page;
    void *w = aligned_alloc(page, bytes);
    need(w != NULL, "not enough memory");
    madvise(w, bytes, MADV_HUGEPAGE);
    return w;
}

static double clock_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec * 1e9 + t.tv_nsec;
}

#define RUN(PROTOCOL, WORD, START, ...) do {                                                    \
        PROTOCOL##_param param = {__VA_ARGS__};                                                 \
        WORD *w = allocate(n * sizeof(WORD));                                                   \
        Goal g = {0, -1};                                                                       \
        for (u64 i = 0; i < n; i++) w[i] = (START), g.leaders += w[i] & LEADER;                 \
        if (g.leaders == 1) g.first = 0;                                                        \
        int ahead = loop ? !strcmp(loop, "ahead") : n * sizeof(WORD) > AHEAD_BYTES;             \
        double t0 = clock_ns();                                                                 \
        g = (ahead ? PROTOCOL##_ahead : PROTOCOL##_plain)(w, n, steps, rng, param, g);          \
        double ns = (clock_ns() - t0) / steps;                                                  \
        u64 sum = 0;                                                                            \
        for (u64 i = 0; i < n; i++) sum += (i + 1) * w[i];                                      \
        printf("%.3f %" PRIu64 " %" PRIu64 " %" PRId64 "\n", ns, g.leaders, sum, g.first);      \
    } while (0)

int main(int argc, char **argv) {
    need(argc > 8, "usage: tricks PROTOCOL N_AGENTS STEPS SEED0 SEED1 SEED2 SEED3 PARAM...");
    const char *name = argv[1], *loop = getenv("LOOP");
    u64 n = strtoull(argv[2], 0, 10), seed[4], par[4] = {0};
    int64_t steps = strtoll(argv[3], 0, 10);
    for (int k = 0; k < 4; k++) seed[k] = strtoull(argv[4 + k], 0, 16);
    for (int k = 0; k < 4 && 8 + k < argc; k++) par[k] = strtoull(argv[8 + k], 0, 10);
    Rng rng = {seed[0], seed[1], seed[2], seed[3]};
    need(n >= 2 && n <= UINT32_MAX && steps > 0, "2 <= N_AGENTS < 2^32 and STEPS > 0 are needed");
    need(!loop || !strcmp(loop, "plain") || !strcmp(loop, "ahead"), "LOOP must be plain or ahead");
    if (!strcmp(name, "p_ll")) {
        u64 m = par[0], lg = 0;
        need(argc == 9 && m >= 1 && 41 * m < 1 << 13, "p_ll takes one parameter, 1 <= m <= 199");
        while (1ULL << lg < m) lg++;
        RUN(p_ll, u64, LEADER | 1 << 3 | 1 << 5, 41 * m, 1ULL << lg, lg);
    } else if (!strcmp(name, "p_rl")) {
        u64 N = par[0];
        need(argc == 9 && N >= 1 && N < (1 << 27) - 1, "p_rl takes one parameter, 1 <= N < 2^27 - 1");
        RUN(p_rl, u32, (i % 7 == 0) | i % 3 << 1 | i / 2 % 2 << 3 | i / 3 % 2 << 4 | 5 * i % (N + 1) << 5,
            N << 5, rl_rules());
    } else {
        u64 ln = ceil(log(par[0])), t_virus = par[2] * ln, t_max = par[3] * par[1] * t_virus * ln;
        need(!strcmp(name, "p_pl") && argc == 12, "protocols: p_ll m, p_rl N, p_pl N c virus_factor emit_factor");
        need(par[0] > 1 && t_max > 0 && t_virus < 1 << 20 && t_max < 1 << 20, "p_pl: a timer is 0 or exceeds 20 bits");
        RUN(p_pl, u64, i % 2 | i / 2 % 2 << 1 | i % (t_virus + 1) << 2 | 7 * i % (t_max + 1) << 22 |
            11 * i % (t_max + 1) << 42, t_virus << 2, t_max << 22, t_max << 42);
    }
}
