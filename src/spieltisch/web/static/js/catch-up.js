// How positions that wait for their moment on the board catch up with the newest: each stands there at most `LATEST` after it came.
// For that the moves before it are held for less, and where that would be too short to be followed, the oldest are left out.

export const LATEST = 1500; // milliseconds from the arrival of a position until it, or a newer one, is on the board
export const SHORTEST = 250; // for less, no move is held

// How long what is shown now can be held: `arrived` tells when each position that waits came, the oldest first; `more` captions of
// what is shown now follow this one.
export function holdTime(wished, arrived, now, more = 0) {
  const shares = arrived.map((time, n) => (time + LATEST - now) / (n + 1 + more));
  return Math.max(0, Math.min(wished, shares[0] ?? Infinity, Math.max(SHORTEST, Math.min(...shares))));
}

// How many of the positions that wait, the oldest first, are left out, so that each other can be held for `SHORTEST`.
export function surplus(arrived, now) {
  const needed = arrived.map((time, n) => n - Math.floor((time + LATEST - now) / SHORTEST));
  return Math.max(0, Math.min(arrived.length - 1, Math.max(...needed)));
}
