// How queued positions catch up with the newest: each is on the board at most `MAX_DELAY_MS` after its arrival. Moves before it are held
// for less time; if that would be too short to follow, the oldest are skipped.

const MAX_DELAY_MS = 1500; // milliseconds from the arrival of a position until it, or a newer one, is on the board
export const MIN_HOLD_MS = 250; // milliseconds; no move is held for less

// How long the present position can be held. `arrivalTimes` contains the arrival times of the queued positions, oldest first;
// `captionsLeft` is the number of captions still to come for this position.
export function computeHoldTime(requestedTime, arrivalTimes, now, captionsLeft = 0) {
  const timeShares = arrivalTimes.map((time, index) => (time + MAX_DELAY_MS - now) / (index + 1 + captionsLeft));
  return Math.max(0, Math.min(requestedTime, timeShares[0] ?? Infinity, Math.max(MIN_HOLD_MS, Math.min(...timeShares))));
}

// How many of the oldest queued positions to skip, so that each of the others can be held for `MIN_HOLD_MS`.
export function countSurplus(arrivalTimes, now) {
  const skipsNeeded = arrivalTimes.map((time, index) => index - Math.floor((time + MAX_DELAY_MS - now) / MIN_HOLD_MS));
  return Math.max(0, Math.min(arrivalTimes.length - 1, Math.max(...skipsNeeded)));
}
