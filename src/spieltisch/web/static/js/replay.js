// Replay: steps without reloading the page, so that pieces can move; by move or turn, by buttons, slider, keys, or automatically.
import './handoff-guard.js';
import './map.js';
import './share-buttons.js';
import { updateCollapsed } from './collapse.js';
import { applyChanges } from './deltas.js';
import { getDigit } from './digit-key.js';
import { showCaption, animateMove, slideCards, getAnimationSpeed, hideCaption } from './piece-animation.js';
import { StreamConnection } from './stream-connection.js';

const MOVE_INTERVALS_MS = { slow: 2400, normal: 1400, fast: 700, still: 1400 }; // milliseconds between two moves of automatic playback
const SPEED_FACTORS = [1, 2, 4];
const SPEED_STORAGE_KEY = 'replay-speed'; // the key of the speed in the browser's storage
const cachedFragments = new Map(); // fragments by URL, so that going back needs no request
const connectionNotice = document.getElementById('connection-notice');
let playTimer = 0;
let speedFactor = readStoredSpeed();
let captionTimer = 0; // until when a caption is shown
let latestRequestNumber = 0; // number of requests, so that a late answer does not replace a newer one
let targetStep = null; // the requested step while another is still shown; keys count from it
let requestCount = 0; // number of requests to the server
let baseFragment = null; // the newest fragment; the server sends only the differences of the next one
let requestCountAtLoss = 0; // the value of `requestCount` when the connection was last found lost: answers to earlier requests prove nothing

const getLivePart = () => document.getElementById('live-part');
const getCurrentStep = () => Number(getLivePart().dataset.currentStep);
const getTargetStep = () => targetStep ?? getCurrentStep();
const getLastStep = () => Number(getLivePart().dataset.lastStep);
const getFirstStep = () => Number(getLivePart().dataset.firstStep);
const getMoveInterval = () => (MOVE_INTERVALS_MS[document.documentElement.dataset.pace] ?? MOVE_INTERVALS_MS.normal) / speedFactor;
const getTurnEnds = () => document.getElementById('log-panel').dataset.turnEnds.split(' ').map(Number);

function readStoredSpeed() {
  try {
    const storedValue = Number(localStorage.getItem(SPEED_STORAGE_KEY));
    return SPEED_FACTORS.includes(storedValue) ? storedValue : 1;
  } catch {
    return 1; // the browser keeps nothing
  }
}

function setSpeed(chosenFactor) {
  speedFactor = chosenFactor;
  try {
    localStorage.setItem(SPEED_STORAGE_KEY, speedFactor);
  } catch { /* it holds for this page */ }
  if (playTimer) runPlayback();
  updateButtons();
}

function createStepUrl(step) {
  const url = new URL(location.href);
  url.searchParams.set('at', step);
  url.searchParams.delete('play');
  return url;
}

async function fetchFragment(url) {
  const key = url.pathname + url.search;
  if (!cachedFragments.has(key)) {
    const [request, previousFragment] = [++requestCount, baseFragment];
    const response = await fetch(url, { headers: { 'HX-Request': 'true', ...(previousFragment && { 'Delta-Base': previousFragment.tag }) } });
    if (!response.ok) throw new Error(`${key}: ${response.status}`);
    const receivedLines = (await response.text()).split('\n');
    const lines = response.headers.has('Delta-Base') ? applyChanges(previousFragment.lines, receivedLines) : receivedLines;
    baseFragment = { tag: response.headers.get('Delta-Tag'), lines };
    cachedFragments.set(key, lines.join('\n'));
    if (request > requestCountAtLoss) connectionNotice.hidden = true;
  }
  return cachedFragments.get(key);
}

async function goToStep(step) {
  targetStep = Math.min(Math.max(step, getFirstStep()), getLastStep());
  const url = createStepUrl(targetStep);
  const request = ++latestRequestNumber;
  let html;
  try {
    html = await fetchFragment(url);
  } catch {
    requestCountAtLoss = requestCount;
    if (request !== latestRequestNumber) return;
    targetStep = null;
    pausePlayback();
    document.getElementById('step-slider').value = String(getCurrentStep());
    connectionNotice.hidden = false;
    return;
  }
  if (request !== latestRequestNumber) return;
  const focusedId = document.activeElement?.id;
  const [stepBefore, move] = [getCurrentStep(), new DOMParser().parseFromString(html, 'text/html').getElementById('last-move')];
  const isStepBack = Number(url.searchParams.get('at')) === stepBefore - 1;
  const isStepForward = Number(url.searchParams.get('at')) === stepBefore + 1;
  const startAnimation = isStepForward ? animateMove(move) : isStepBack ? animateMove(document.getElementById('last-move'), true) : () => {};
  const startSlides = isStepForward || isStepBack ? slideCards() : () => {};
  clearTimeout(captionTimer);
  hideCaption();
  const isMoreOpen = document.getElementById('replay-more')?.open;
  await window.htmx.swap({ sourceElement: getLivePart(), target: getLivePart(), text: html, swap: 'outerMorph' });
  document.getElementById('replay-more')?.toggleAttribute('open', isMoreOpen);
  if (request === latestRequestNumber) targetStep = null;
  history.replaceState(null, '', url);
  document.getElementById('step-slider').value = String(getTargetStep());
  if (focusedId) document.getElementById(focusedId)?.focus({ preventScroll: true });
  document.getElementById('live-region').textContent = getLivePart().dataset.announcement;
  startAnimation((requestedTime) => requestedTime / speedFactor);
  startSlides((requestedTime) => requestedTime / speedFactor);
  if (isStepForward) {
    showCaption(move);
    captionTimer = setTimeout(hideCaption, getAnimationSpeed().hold);
  }
  scrollToCurrentMove();
  updateButtons();
  sendLedStep();
  document.dispatchEvent(new CustomEvent('spieltisch:page-updated'));
  updateCollapsed();
  if (getTargetStep() < getLastStep()) fetchFragment(createStepUrl(getTargetStep() + 1)).catch(() => {}); // it is requested again when it is needed
}

// Scroll only the list to the current move: on a phone the list is far below the board.
function scrollToCurrentMove() {
  const [logList, currentEntry] = [document.querySelector('.log-panel .log'), document.querySelector('.log-panel .is-current')];
  if (!currentEntry) return;
  const [logBox, entryBox] = [logList.getBoundingClientRect(), currentEntry.getBoundingClientRect()];
  logList.scrollTop += Math.min(Math.max(entryBox.bottom - logBox.bottom, 0), entryBox.top - logBox.top); // if it is too long, it begins in sight
  const cutBox = [...logList.children].map((entry) => entry.getBoundingClientRect()).find(({ top, bottom }) => top < logBox.top - 1 && bottom > logBox.top + 1);
  if (!cutBox) return;
  // The list begins with a whole entry, after its last one too.
  const restHeight = cutBox.bottom - logBox.top;
  const missingHeight = restHeight - (logList.scrollHeight - logList.clientHeight - logList.scrollTop);
  if (missingHeight > 0) logList.style.paddingBlockEnd = `${Math.ceil(missingHeight) + parseFloat(getComputedStyle(logList).paddingBlockEnd)}px`;
  logList.scrollTop += restHeight;
}

// Its box may be lower than what unfolds in it.
function showWhatIfButton() {
  const whatIf = document.getElementById('what-if-details');
  if (whatIf?.open) whatIf.querySelector('button').scrollIntoView({ block: 'nearest' });
}

function updateButtons() {
  const playButton = document.getElementById('play-button');
  playButton.textContent = playTimer ? playButton.dataset.pauseLabel : playButton.dataset.playLabel;
  playButton.setAttribute('aria-pressed', String(Boolean(playTimer)));
  for (const speedButton of document.querySelectorAll('[data-speed]')) speedButton.setAttribute('aria-pressed', String(Number(speedButton.dataset.speed) === speedFactor));
}

function pausePlayback() {
  clearInterval(playTimer);
  playTimer = 0;
  updateButtons();
}

async function startPlayback() {
  if (getTargetStep() >= getLastStep()) {
    await goToStep(getFirstStep());
    if (getTargetStep() >= getLastStep()) return; // the connection is lost, or the game has no more moves
  }
  runPlayback();
  updateButtons();
}

function runPlayback() {
  clearInterval(playTimer);
  playTimer = setInterval(() => {
    if (targetStep !== null) return; // an answer is pending; every step must be seen
    if (getCurrentStep() >= getLastStep()) pausePlayback();
    else goToStep(getCurrentStep() + 1);
  }, getMoveInterval());
}

document.addEventListener('click', (event) => {
  const step = event.target.closest('[data-step]');
  if (step && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
    event.preventDefault();
    pausePlayback();
    setFollowing(false);
    goToStep(Number(step.dataset.step));
  } else if (event.target.closest('#play-button')) {
    setFollowing(false);
    (playTimer ? pausePlayback : startPlayback)();
  } else if (event.target.closest('#lead-button')) setLeading(!isLeading);
  else if (event.target.closest('#follow-button')) setFollowing(!isFollowing);
  else if (event.target.closest('[data-speed]')) setSpeed(Number(event.target.closest('[data-speed]').dataset.speed));
});

document.addEventListener('toggle', (event) => {
  if (event.target.id === 'what-if-details') showWhatIfButton();
}, { capture: true });

document.addEventListener('input', (event) => {
  if (event.target.id !== 'step-slider') return;
  pausePlayback();
  setFollowing(false);
  goToStep(Number(event.target.value));
});

const STEP_KEYS = { ArrowRight: () => getTargetStep() + 1, ArrowLeft: () => getTargetStep() - 1, Home: getFirstStep, End: getLastStep };
const TURN_KEYS = {
  ...STEP_KEYS,
  ArrowRight: () => Math.min(...getTurnEnds().filter((turnEnd) => turnEnd > getTargetStep()), getLastStep()),
  ArrowLeft: () => Math.max(...getTurnEnds().filter((turnEnd) => turnEnd < getTargetStep()), getFirstStep()),
};

document.addEventListener('keydown', (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest('input, select, textarea, #map-frame')) return;
  const keySteps = event.shiftKey ? TURN_KEYS : STEP_KEYS;
  if (event.key in keySteps) { event.preventDefault(); pausePlayback(); setFollowing(false); goToStep(keySteps[event.key]()); }
  else if (SPEED_FACTORS.includes(getDigit(event))) setSpeed(getDigit(event));
  else if (event.key === ' ' && !event.target.closest('a, button, summary')) { event.preventDefault(); setFollowing(false); (playTimer ? pausePlayback : startPlayback)(); }
});

// --- Looking at a replay together: one leads, and those who follow are shown the same steps. ---

const sharedReplay = document.getElementById('shared-replay');
const [leadButton, followButton] = ['lead-button', 'follow-button'].map((id) => document.getElementById(id));
let isLeading = false;
let isFollowing = false;
let ledStep = ''; // the step that the server was last told; '' while this page does not lead
let isSendingStep = false;

function getShownLead() {
  const leadElement = sharedReplay.querySelector('[data-led-step]');
  if (!leadElement) return null;
  const { ledStep: step, isOwn } = leadElement.dataset;
  return { step: Number(step), isOwn: isOwn !== undefined, whatIf: leadElement.querySelector('a')?.href };
}

const postLedStep = (options) => {
  sharedReplay.elements.at.value = ledStep;
  return fetch(sharedReplay.action, { method: 'POST', body: new URLSearchParams(new FormData(sharedReplay)), ...options });
};

// The newest step is sent once the one before has arrived.
async function sendLedStep() {
  if (isSendingStep) return;
  isSendingStep = true;
  try {
    for (let step = isLeading ? getCurrentStep() : ''; step !== ledStep; step = isLeading ? getCurrentStep() : '') {
      ledStep = step;
      await postLedStep();
    }
  } catch {
    connectionNotice.hidden = false;
  }
  isSendingStep = false;
}

function setLeading(isLeadingNow) {
  isLeading = isLeadingNow;
  if (isLeading) setFollowing(false);
  leadButton?.setAttribute('aria-pressed', String(isLeading));
  sendLedStep();
}

function setFollowing(isFollowingNow) {
  isFollowing = isFollowingNow;
  followButton?.setAttribute('aria-pressed', String(isFollowing));
  if (isFollowing) followLead();
}

function followLead() {
  const lead = getShownLead();
  if (lead?.whatIf) location.assign(lead.whatIf);
  if (!lead || lead.step === getTargetStep()) return;
  pausePlayback();
  goToStep(lead.step);
}

function showLead() {
  const lead = getShownLead();
  const isOther = lead !== null && !lead.isOwn;
  followButton.hidden = !isOther;
  if (isOther && isLeading) { // another player has taken the lead
    ledStep = '';
    setLeading(false);
  }
  if (!isOther) setFollowing(false);
  else if (isFollowing) followLead();
}

function connectSharedReplay() {
  const topics = [[sharedReplay.dataset.topic, Number(sharedReplay.dataset.version)]];
  const sessionKey = document.documentElement.dataset.streamKey;
  const receive = ({ topic, version, html }) => {
    if (topic !== sharedReplay.dataset.topic || version <= Number(sharedReplay.dataset.version)) return;
    sharedReplay.dataset.version = version;
    document.getElementById('led-replay').innerHTML = html;
    showLead();
  };
  if (!('SharedWorker' in window)) { new StreamConnection(receive).watch(topics, sessionKey); return; }
  const { port } = new SharedWorker(new URL('./stream-worker.js', import.meta.url), { type: 'module', name: 'spieltisch' });
  port.onmessage = ({ data }) => receive(data);
  port.postMessage({ topics, sessionKey });
  addEventListener('pagehide', () => port.postMessage({ isClosing: true }));
}

if (sharedReplay) {
  document.getElementById('shared-replay-slot').append(sharedReplay);
  if (leadButton) document.getElementById('lead-slot').append(leadButton);
  sharedReplay.hidden = false;
  showLead();
  connectSharedReplay();
  addEventListener('pagehide', () => {
    if (!isLeading) return;
    ledStep = '';
    postLedStep({ keepalive: true });
  });
}

scrollToCurrentMove();
showWhatIfButton();
updateButtons();
if (new URL(location.href).searchParams.has('play')) startPlayback();
