// How queued positions catch up with the newest: each is on the board at most `MAX_DELAY` after its arrival. Moves before it are held
// for less time; if that would be too short to follow, the oldest are skipped.

const MAX_DELAY = 1500; // milliseconds from the arrival of a position until it, or a newer one, is on the board
export const MIN_HOLD = 250; // milliseconds; no move is held for less

// How long the present position can be held. `arrived` contains the arrival times of the queued positions, oldest first; `more` is the
// number of captions still to come for this position.
export function holdTime(wished, arrived, now, more = 0) {
  const shares = arrived.map((time, n) => (time + MAX_DELAY - now) / (n + 1 + more));
  return Math.max(0, Math.min(wished, shares[0] ?? Infinity, Math.max(MIN_HOLD, Math.min(...shares))));
}

// How many of the oldest queued positions to skip, so that each of the others can be held for `MIN_HOLD`.
export function surplus(arrived, now) {
  const needed = arrived.map((time, n) => n - Math.floor((time + MAX_DELAY - now) / MIN_HOLD));
  return Math.max(0, Math.min(arrived.length - 1, Math.max(...needed)));
}
