/* The yardstick: best-improvement 2-opt as solvers/algorithms/two_opt/kernels/climb_cpu.py has it, in C, on one thread.
 *
 * Same loop, same idea (one row of distances serves two rows of moves), same start tours from the same counter-based
 * stream, same ties: it must find the same tours. Distances come from a matrix, or are computed from integer
 * coordinates; the benchmark takes whichever is faster. Built by gcc -O3 -march=native -shared -fPIC, and once more with
 * -fno-math-errno.
 */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    int n;
    const int32_t *matrix;      /* n * n, or NULL: then x and y */
    const int32_t *x, *y;
    int32_t *city, *px, *py;    /* tour, and its coordinates in order, n + 1 */
    int32_t *edge, *row[2];     /* edge[p]: from p - 1 to p; two rows of distances, n + 1 */
} climb_t;

static uint64_t random_bits(uint64_t seed, uint64_t climber, uint64_t step)
{
    const uint64_t words[3] = {seed, climber, step};
    uint64_t z = 0;
    for (int k = 0; k < 3; k++) {
        z += 0x9E3779B97F4A7C15u * (words[k] + 1);
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
        z ^= z >> 31;
    }
    return z;
}

static void fill_by_matrix(const int32_t *restrict weights, const int32_t *restrict city, int first, int last,
                           int32_t *restrict row)
{
    for (int p = first; p < last; p++)
        row[p] = weights[city[p]];
}

/* Only with -fno-math-errno does gcc make vectors of this loop: sqrtf may set errno, which nobody reads here. */
static void fill_by_grid(int32_t x, int32_t y, const int32_t *restrict px, const int32_t *restrict py, int first,
                         int last, int32_t *restrict row)
{
    for (int p = first; p < last; p++) {
        int32_t dx = x - px[p], dy = y - py[p], q = dx * dx + dy * dy;
        int32_t r = (int32_t)(sqrtf((float)q) + 0.5f), off = q - r * r;
        r = r + (off > r) - (off <= -r);
        row[p] = r > 0 ? r : 0;
    }
}

static void fill(const climb_t *c, int position, int first, int last, int32_t *row)
{
    if (c->matrix)
        fill_by_matrix(c->matrix + (size_t)c->city[position] * c->n, c->city, first, last, row);
    else
        fill_by_grid(c->px[position], c->py[position], c->px, c->py, first, last, row);
}

static int32_t least_change(const int32_t *restrict near, const int32_t *restrict far, const int32_t *restrict edge,
                            int count)
{
    int32_t least = INT32_MAX;
    for (int k = 0; k < count; k++) {
        int32_t change = near[k] + far[k] - edge[k];
        least = change < least ? change : least;
    }
    return least;
}

static void lay(climb_t *c, int first, int last)
{
    if (!c->matrix)
        for (int p = first; p < last; p++) {
            c->px[p] = c->x[c->city[p]];
            c->py[p] = c->y[c->city[p]];
        }
}

static void reverse(int32_t *values, int first, int last)
{
    for (; first < last; first++, last--) {
        int32_t kept = values[first];
        values[first] = values[last];
        values[last] = kept;
    }
}

static int64_t climb(climb_t *c, uint64_t seed, uint64_t climber, int64_t *evaluations)
{
    const int n = c->n;
    for (int k = 0; k < n; k++)
        c->city[k] = k;
    for (int step = 0; step < n - 1; step++) {
        int k = n - 1 - step, other = (int)(((random_bits(seed, climber, step) >> 32) * (uint64_t)(k + 1)) >> 32);
        int32_t kept = c->city[k];
        c->city[k] = c->city[other];
        c->city[other] = kept;
    }
    c->city[n] = c->city[0];
    lay(c, 0, n + 1);
    int64_t length = 0;
    for (int p = 0; p < n; p++) {
        fill(c, p, p + 1, p + 2, c->edge);
        length += c->edge[p + 1];
    }
    for (;;) {
        int32_t best = 0;
        int best_i = 0, best_j = 0;
        fill(c, 0, 2, n, c->row[0]);
        for (int i = 0; i < n - 2; i++) {
            int32_t *near = c->row[i & 1], *far = c->row[(i + 1) & 1];
            fill(c, i + 1, i + 3, n + 1, far);
            int32_t least = least_change(near + i + 2, far + i + 3, c->edge + i + 3, n - 2 - i);
            if (least - c->edge[i + 1] < best) {
                best = least - c->edge[i + 1];
                best_i = i;
                for (best_j = i + 2; near[best_j] + far[best_j + 1] - c->edge[best_j + 1] != least;)
                    best_j++;
            }
        }
        *evaluations += (int64_t)(n - 1) * (n - 2) / 2;
        if (best >= 0)
            return length;
        reverse(c->city, best_i + 1, best_j);
        reverse(c->edge, best_i + 2, best_j);
        c->city[n] = c->city[0];
        lay(c, best_i + 1, best_j + 1);
        fill(c, best_i, best_i + 1, best_i + 2, c->edge);
        fill(c, best_j, best_j + 1, best_j + 2, c->edge);
        length += best;
    }
}

/* Climb `climbers` times; writes the lengths, returns the moves evaluated, or -1 without memory. */
int64_t two_opt(int n, const int32_t *matrix, const int32_t *x, const int32_t *y, uint64_t seed, int climbers,
                int64_t *lengths)
{
    const size_t size = (size_t)n + 1;
    int32_t *room = malloc(6 * size * sizeof(int32_t));
    if (!room)
        return -1;
    climb_t c = {n, matrix, x, y, room, room + size, room + 2 * size, room + 3 * size,
                 {room + 4 * size, room + 5 * size}};
    int64_t evaluations = 0;
    for (int k = 0; k < climbers; k++)
        lengths[k] = climb(&c, seed, (uint64_t)k, &evaluations);
    free(room);
    return evaluations;
}
