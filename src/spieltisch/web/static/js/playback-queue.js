// The playback queue: positions are shown one after the other, each held at the player's pace, but never far behind the newest
// (catch-up.js). While an older position is on the board, nothing can be played: a click there, Escape or "Skip" shows the newest
// immediately. Question and log always show the newest; what the players have is that of the board.
import { showCaption, getAnimationSpeed, hideCaption } from './piece-animation.js';
import { placeCaptionAndBar } from './playback-lanes.js';
import { MIN_HOLD_MS, computeHoldTime, countSurplus } from './catch-up.js';

const BANNER_DURATION_MS = 1500; // milliseconds
const REPEATED_TAP_TIME_MS = 600; // milliseconds for which a second tap on "Skip" or "Close" presses nothing that was behind it
const queuedJobs = []; // positions still to be shown
let isQueueRunning = false;
let isBoardChanging = false; // a position is being put on the board
let isSkippingToNewest = false; // skip to the newest
let isPaused = false;
let isHoldReleased = false; // the held position has been seen
let wakeUpHold = () => {}; // wakes the waiting function
let closingClick = null; // the click after which the box disappeared

const getPlaybackBar = () => document.getElementById('playback-bar');
const findPositionJobs = () => queuedJobs.filter(({ showPosition }) => showPosition);
export const isPlaybackRunning = () => isQueueRunning;
export const isPlaybackSkipped = () => isSkippingToNewest || document.hidden || !getAnimationSpeed().hold;
export const isBoardBehind = () => isQueueRunning && (isBoardChanging || findPositionJobs().length > 0 || getPlaybackBar()?.classList.contains('is-replaying-moves'));

// How much of the requested time is left before the queued positions must be on the board.
export const getAvailableTime = (requestedTime, captionsLeft) => computeHoldTime(requestedTime, findPositionJobs().map(({ arrivedAt }) => arrivedAt), performance.now(), captionsLeft);
export const mustCatchUp = () => getAvailableTime(MIN_HOLD_MS) < MIN_HOLD_MS;

function skipSurplus() {
  const queuedPositions = findPositionJobs();
  const skippedCount = isPlaybackSkipped() ? queuedPositions.length - 1 : countSurplus(queuedPositions.map(({ arrivedAt }) => arrivedAt), performance.now());
  for (const job of queuedPositions.slice(0, Math.max(0, skippedCount))) queuedJobs.splice(queuedJobs.indexOf(job), 1); // a newer position includes them
}

async function tryJobStep(jobStep) {
  try {
    await jobStep?.();
  } catch (error) {
    reportError(error); // the next push brings the whole state
  }
}

// Add a job that runs after all earlier ones. A job with `showPosition`, which puts a position on the board, may be skipped for a newer
// one.
export async function enqueueJob(hold, showPosition) {
  queuedJobs.push({ hold, showPosition, arrivedAt: performance.now() });
  if (isQueueRunning) { updatePlaybackBar(); wakeUpHold(); return; }
  isQueueRunning = true;
  while (queuedJobs.length) {
    skipSurplus();
    const job = queuedJobs.shift();
    isBoardChanging = Boolean(job.showPosition);
    await tryJobStep(job.showPosition);
    isBoardChanging = false;
    updatePlaybackBar();
    if (job.showPosition && !isBoardBehind()) document.dispatchEvent(new CustomEvent('spieltisch:boards-updated'));
    await tryJobStep(job.hold);
    hideCaption();
  }
  isQueueRunning = isSkippingToNewest = isPaused = false;
  updatePlaybackBar();
}

// Hold a position with the caption of its move, or without a move until all pieces have arrived; `captionsLeft` moves of the same position
// follow.
export async function holdMove(move, captionsLeft = 0) {
  if (isPlaybackSkipped()) return;
  if (move) showCaption(move);
  await holdPosition(move ? getAnimationSpeed().hold : getAnimationSpeed().travel, captionsLeft);
  hideCaption();
}

// Shows sentences over the boards for a moment; a click or a key ends it.
export async function showBanner(sentences) {
  if (isPlaybackSkipped() || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  const banner = document.getElementById('move-banner');
  banner.replaceChildren(...sentences.map((text) => Object.assign(document.createElement('p'), { textContent: text })));
  banner.hidden = false;
  await holdPosition(BANNER_DURATION_MS);
  banner.hidden = true;
}

async function holdPosition(requestedTime, captionsLeft = 0) {
  let timeLeft = requestedTime;
  isHoldReleased = false;
  updatePlaybackBar();
  while (!isPlaybackSkipped() && !isHoldReleased && (timeLeft > 0 || isPaused)) {
    const [startTime, wasPaused] = [performance.now(), isPaused];
    if (!isPaused) timeLeft = getAvailableTime(timeLeft, captionsLeft);
    await new Promise((resolve) => { wakeUpHold = resolve; if (!isPaused) setTimeout(resolve, timeLeft); });
    if (!wasPaused) timeLeft -= performance.now() - startTime;
  }
}

// The time of a pause does not count.
function togglePause() {
  isPaused = !isPaused;
  if (!isPaused) for (const job of queuedJobs) job.arrivedAt = performance.now();
  updatePlaybackBar();
  wakeUpHold();
}

export function skipToNewest() {
  isSkippingToNewest = isQueueRunning;
  isPaused = false;
  hideCaption();
  updatePlaybackBar();
  wakeUpHold();
}

// The box with "Skip" is visible while the board shows an older position.
export function updatePlaybackBar() {
  const playbackBar = getPlaybackBar();
  if (!playbackBar) return; // this page has no board
  const isOlderPositionShown = isBoardBehind() && !isSkippingToNewest && !playbackBar.classList.contains('is-own-move');
  const isKeptOpen = playbackBar.classList.contains('is-recap');
  const isFocusLost = playbackBar.contains(document.activeElement) && !isOlderPositionShown; // its buttons disappear
  if (isFocusLost) document.activeElement.blur();
  playbackBar.hidden = !isOlderPositionShown && !isKeptOpen;
  document.getElementById('playback-pause').hidden = document.getElementById('playback-skip').hidden = !isOlderPositionShown;
  document.getElementById('playback-close').hidden = isOlderPositionShown;
  document.getElementById('playback-pause').setAttribute('aria-pressed', String(isPaused));
  placeCaptionAndBar();
  if (isFocusLost) document.dispatchEvent(new CustomEvent('spieltisch:focus-lost'));
}

function releaseHeldPosition() {
  isHoldReleased = true;
  wakeUpHold();
}

function closePlaybackBar() {
  getPlaybackBar()?.classList.remove('is-recap');
  updatePlaybackBar();
}

const isRepeatedTap = ({ timeStamp, clientX, clientY }) =>
  closingClick && timeStamp - closingClick.timeStamp < REPEATED_TAP_TIME_MS && Math.hypot(clientX - closingClick.clientX, clientY - closingClick.clientY) < 30;

addEventListener('click', (event) => {
  const { target } = event;
  if (isRepeatedTap(event)) {
    event.preventDefault();
    event.stopImmediatePropagation();
    return;
  }
  if (target.closest('#playback-skip, #playback-close') && event.detail) closingClick = event;
  if (!document.getElementById('move-banner')?.hidden) releaseHeldPosition();
  if (target.closest('#playback-pause')) togglePause();
  else if (target.closest('#playback-skip')) skipToNewest();
  else if (target.closest('#playback-close')) closePlaybackBar();
  else if (!target.closest('#playback-bar')) {
    if (!isBoardBehind()) {
      closePlaybackBar();
      if (target.closest('#map, #panel, #own-summary')) releaseHeldPosition();
      return;
    }
    const isOnBoard = target.closest('#map, #panel');
    skipToNewest();
    if (!isOnBoard) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }
}, true);

addEventListener('keydown', (event) => {
  if (!document.getElementById('move-banner')?.hidden) releaseHeldPosition();
  if (event.key !== 'Escape' || getPlaybackBar()?.hidden !== false) return;
  event.stopImmediatePropagation();
  if (isBoardBehind()) skipToNewest();
  else closePlaybackBar();
}, true);

document.addEventListener('visibilitychange', () => { if (document.hidden) wakeUpHold(); });
