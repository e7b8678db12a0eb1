/* The random numbers of solvers, computed again: they are a function of seed, climber and step. */
const GOLDEN = 0x9e3779b97f4a7c15n;
const MIX_A = 0xbf58476d1ce4e5b9n;
const MIX_B = 0x94d049bb133111ebn;
const FIRST_STEP = 1n << 32n; // first step of a chain's draws; each draw takes four steps

/** @param {bigint} value */
const word = (value) => BigInt.asUintN(64, value);

/**
 * Return 64 random bits, like `random_bits` in `solvers/kernels/scalar.py`.
 * @param {...bigint} words seed, climber and step
 */
function randomBits(...words) {
  let z = 0n;
  for (const each of words) {
    z = word(z + GOLDEN * (each + 1n));
    z = word((z ^ (z >> 30n)) * MIX_A);
    z = word((z ^ (z >> 27n)) * MIX_B);
    z ^= z >> 31n;
  }
  return z;
}

/**
 * Return the number from 0 to 1 by which annealing decided on a draw.
 * @param {number} seed of the run
 * @param {number} climber
 * @param {number} draw counted from 1
 */
export function computeDecision(seed, climber, draw) {
  const bits = randomBits(BigInt(seed), BigInt(climber), FIRST_STEP + 4n * BigInt(draw - 1) + 1n);
  return Number(bits >> 11n) / 2 ** 53;
}
