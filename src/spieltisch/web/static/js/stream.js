// Keeps this page up to date: htmx morphs every pushed fragment of its topic into the page. A second topic tells people with a name
// that their seats have been moved to another device; a third, at which addresses the server can be reached.
import { applyChanges } from './deltas.js';
import { inSite } from './site-path.js';
import { StreamConnection } from './stream-connection.js';
import { playMoveSound } from './sounds.js';
import { showBanner, holdMove, enqueueJob, getAvailableTime, isPlaybackRunning, isPlaybackSkipped } from './playback-queue.js';
import { getBoardHtml, putBoards, replaceLive } from './board-playback.js';
import { animateMove, slideCards } from './piece-animation.js';

const livePart = document.getElementById('live-part');
const lostNotice = document.getElementById('connection-notice');
const lostText = lostNotice.textContent;
const slowNotice = document.getElementById('slow-notice');
const announcementNotice = document.getElementById('announcement');
const unsavedNotice = document.getElementById('unsaved-notice');
const CHECK_INTERVAL_MS = 5000; // milliseconds between two looks at the shared connection
const devicesNotice = document.getElementById('devices-notice');
let sendSubscriptions = () => {};
let requestChanges = () => {};
let announcedVersion = getNewestLogVersion(); // the version of the newest entry of the log that has been read aloud
let announcedStatus = livePart?.dataset.announcement ?? '';
const pendingBells = new Map(); // version of an announced turn -> function that learns whether this tab rings for it
let offerBell; // a tab with its own connection does not ask others
let connectionStatus = 'up'; // of the connection: "up", "slow" or "lost"
let isStreamRefused = false; // whether the server refuses the stream
let lastAnswer = null; // the last state that was the answer to a change made here: its tag and its lines
let isLossSuspected = false; // whether a request of this page has failed since
let probeTimer = 0;
let isReloadPending = false; // the server has another build than this page
let newestVersion = 0; // the newest version that has arrived; an older one may be shown
let pendingState = null; // the newest state that is not in the page yet
let isReplacing = false;

function getNewestLogVersion() {
  return Number(document.querySelector('#log-panel > .log > [id^="log-"]')?.id.slice('log-'.length) ?? 0);
}

// What bots said is not read aloud where it is not shown.
function getLineText(line) {
  const hidesBotLines = 'hidesBotLines' in document.documentElement.dataset;
  return [...line.childNodes].filter((part) => !hidesBotLines || !part.matches?.('.bot-line')).map((part) => part.textContent).join('').trim();
}

// Read aloud what is new in the log, each entry once, and what the table waits for.
function announceNews() {
  const announcer = document.getElementById('live-region');
  const statusText = document.getElementById('live-part').dataset.announcement ?? '';
  const lines = [...document.querySelectorAll('#log-panel > .log > [id^="log-"]')].filter((line) => Number(line.id.slice('log-'.length)) > announcedVersion).reverse();
  const hasNews = lines.length > 0 || statusText !== announcedStatus;
  const text = hasNews ? [...lines.map(getLineText), statusText].join(' ').replace(/\s+/g, ' ') : '';
  announcedVersion = Math.max(announcedVersion, getNewestLogVersion());
  announcedStatus = statusText;
  if (announcer && text) announcer.textContent = text === announcer.textContent ? `${text}\u00a0` : text; // the same text again is a change, too
}

// Title and icon show whose turn it is, also while the tab is hidden.
function setTitle(title) {
  if (document.title !== title) document.title = title;
  const favicon = document.querySelector('link[rel=icon]');
  const href = title.startsWith('●') ? favicon.dataset.turnIconUrl : favicon.dataset.plainIconUrl;
  if (favicon.getAttribute('href') !== href) favicon.setAttribute('href', href);
}

// The log entries of the moves that are new in this fragment, oldest first.
function findNewMoves(html, knownVersion) {
  const lines = html.match(/<li id="log-[^>]* data-animations[^]*?<\/li>/g); // by text, so that the fragment is not parsed twice
  if (!lines) return [];
  const moves = [...new DOMParser().parseFromString(`<ol>${lines.join('')}</ol>`, 'text/html').querySelectorAll('li')];
  return moves.filter((line) => Number(line.id.slice('log-'.length)) > knownVersion).reverse();
}

// Put the boards of a state into the page, with animation and, for moves of others, a caption. The rest is already there.
function showBoards(html, moves) {
  const othersMoves = moves.filter((move) => 'isByOpponent' in move.dataset);
  enqueueJob(async () => {
    for (const [index, move] of othersMoves.entries()) await holdMove(move, othersMoves.length - 1 - index);
  }, () => animateBoards(moves, () => putBoards(getBoardHtml(new DOMParser().parseFromString(html, 'text/html')))));
}

// Animate a change of the boards, with sound.
async function animateBoards(moves, updateBoards) {
  const startAnimations = isPlaybackSkipped() ? [] : moves.map((move) => animateMove(move));
  const startSlides = moves.length && !isPlaybackSkipped() ? slideCards() : () => {};
  await updateBoards();
  startSlides(getAvailableTime);
  for (const [index, startAnimation] of startAnimations.entries()) {
    startAnimation(getAvailableTime);
    playMoveSound(moves[index]);
  }
}

// Title, question, clock and log show the newest state immediately; boards, points and holdings too, unless moves of others are being shown.
async function replaceState() {
  if (isReplacing) return;
  isReplacing = true;
  while (pendingState) {
    const { html, moves, areBoardsQueued } = pendingState;
    pendingState = null;
    try {
      await animateBoards(areBoardsQueued ? [] : moves, () => replaceLive(html, areBoardsQueued));
    } catch (error) {
      reportError(error); // the next push brings the whole state
    }
    setTitle(document.getElementById('live-part').dataset.pageTitle);
    announceNews();
    document.dispatchEvent(new CustomEvent('spieltisch:page-updated'));
  }
  isReplacing = false;
}

function receiveState({ version, html }) {
  const live = document.getElementById('live-part');
  const knownVersion = Math.max(newestVersion, Number(live?.dataset.version));
  if (!live || version <= knownVersion) return;
  newestVersion = version;
  const moves = findNewMoves(html, knownVersion);
  const areBoardsQueued = isPlaybackRunning() || (!isPlaybackSkipped() && moves.some((move) => 'isByOpponent' in move.dataset));
  pendingState = { html, moves: [...pendingState?.moves ?? [], ...moves], areBoardsQueued };
  replaceState();
  if (areBoardsQueued) showBoards(html, moves);
  const sentences = moves.flatMap((move) => move.dataset.bannerSentences?.split('\n') ?? []);
  if (sentences.length) enqueueJob(() => showBanner(sentences));
}

// The table, and what follows a topic of its own besides it.
function showFragment(message) {
  const element = findFollowedElements().find(({ dataset }) => dataset.topic === message.topic);
  if (element?.id === 'live-part') receiveState(message);
  else if (element && message.version > Number(element.dataset.version)) {
    element.dataset.version = message.version;
    element.innerHTML = message.html;
    element.dispatchEvent(new CustomEvent('spieltisch:fragment-updated'));
  }
}

const findFollowedElements = () => [...document.querySelectorAll('[data-topic]')];

devicesNotice?.addEventListener('spieltisch:fragment-updated', () => {
  const devicesMenuItem = document.getElementById('other-devices');
  if (devicesMenuItem) devicesMenuItem.textContent = devicesNotice.querySelector('[data-devices-text]').dataset.devicesText;
});

function handleMessage(message) {
  if (message.topic) showFragment(message);
  else if (message.build) reloadForBuild(message.build);
  else if ('isUnsaved' in message) unsavedNotice.hidden = !message.isUnsaved;
  else if ('announcement' in message) showAnnouncement(message.announcement);
  else if (message.status) showStatus(message);
}

function showAnnouncement(text) {
  announcementNotice.hidden = !text;
  announcementNotice.textContent = text;
}

function showStatus(message) {
  ({ status: connectionStatus } = message);
  isStreamRefused = 'reason' in message;
  slowNotice.hidden = connectionStatus !== 'slow';
  if (connectionStatus === 'lost') lostNotice.textContent = message.reason ?? lostText;
  if (connectionStatus !== 'lost' && isLossSuspected) probeServer();
  else lostNotice.hidden = connectionStatus !== 'lost';
}

// The answer to a change made on this page brings the new state, because the stream may be late. The later of the two is ignored.
function addDeltaBase({ detail: { ctx } }) {
  ctx.base = lastAnswer;
  if (lastAnswer) ctx.request.headers['Delta-Base'] = lastAnswer.tag;
}

function readReceivedState({ detail: { ctx } }) {
  const { headers, status: statusCode } = ctx.response;
  if (statusCode === 409) requestChanges(); // the page may be out of date
  if (!headers.has('State-Id')) return;
  const receivedLines = ctx.text.split('\n');
  const lines = headers.has('Delta-Base') ? applyChanges(ctx.base.lines, receivedLines) : receivedLines;
  lastAnswer = { tag: headers.get('Delta-Tag'), lines };
  const id = headers.get('State-Id');
  const separator = id.lastIndexOf('@');
  ctx.receivedState = { topic: id.slice(0, separator), version: Number(id.slice(separator + 1)), html: lines.join('\n') };
  ctx.text = ''; // what is put into the notice
}

function handleSwap({ detail: { ctx } }) {
  if (ctx.receivedState && ctx.receivedState.topic === document.getElementById('live-part').dataset.topic) receiveState(ctx.receivedState);
}

// A failed request reveals a lost connection sooner than the stream, which may be silent between two heartbeats. The stream is opened
// again; when it is up, this page tries the server itself. An "offline" browser may still reach a server on its own machine.
function handleFailedRequest() {
  isLossSuspected = true;
  lostNotice.textContent = lostText;
  lostNotice.hidden = false;
  sendSubscriptions(true);
}

// A page that was open during an upgrade has old scripts and forms; one that was open while an older backup was restored may show moves
// that no longer exist. It reloads as soon as no typed text would be lost.
function reloadForBuild(build) {
  if (isReloadPending || build === document.documentElement.dataset.serverBuild) return;
  isReloadPending = true;
  const reloadUnlessEdited = () => {
    if ([...document.querySelectorAll('input:not([type=hidden]), textarea, select')].some(isEdited)) return;
    document.removeEventListener('focusout', reloadUnlessEdited);
    location.reload();
  };
  document.addEventListener('focusout', reloadUnlessEdited);
  reloadUnlessEdited();
}

function isEdited(field) {
  if (field.options) return [...field.options].some((option) => option.selected !== option.defaultSelected && option.defaultSelected);
  if (field.type === 'checkbox' || field.type === 'radio') return field.checked !== field.defaultChecked;
  return field.value !== field.defaultValue;
}

const canReachServer = () => fetch(inSite('/health'), { cache: 'no-store' }).then(() => true, () => false);

async function probeServer() {
  clearTimeout(probeTimer);
  if (await canReachServer()) {
    isLossSuspected = false;
    lostNotice.hidden = connectionStatus !== 'lost';
  } else probeTimer = setTimeout(probeServer, CHECK_INTERVAL_MS);
}

function getSubscriptions(isFromStart = false) {
  return {
    topics: findFollowedElements().map(({ dataset }) => [dataset.topic, isFromStart ? 0 : Number(dataset.version)]),
    sessionKey: document.documentElement.dataset.streamKey,
  };
}

// Ask whether this tab should ring for the turn that has begun.
export const claimBell = (topic, version, isTouched) => offerBell({ topic, version, isTouched });

function connectShared() {
  const worker = new SharedWorker(new URL('./stream-worker.js', import.meta.url), { type: 'module', name: 'spieltisch' });
  const abortController = new AbortController();
  const abandonWorker = () => {
    if (abortController.signal.aborted) return;
    abortController.abort();
    clearInterval(workerCheckTimer);
    worker.port.postMessage({ isClosing: true });
    worker.port.close();
    for (const resolveBell of pendingBells.values()) resolveBell(true);
    connectAlone();
  };
  // A worker may end, or lose its network for good when that process of the browser crashes. No event says so.
  let isWorkerSilent = false;
  let wasWorkerBroken = false;
  const workerCheckTimer = setInterval(async () => {
    const isWorkerBroken = isWorkerSilent || (connectionStatus === 'lost' && !isStreamRefused && await canReachServer());
    if (isWorkerBroken && wasWorkerBroken) { abandonWorker(); return; }
    wasWorkerBroken = isWorkerBroken;
    isWorkerSilent = true;
    worker.port.postMessage({ ping: true });
  }, CHECK_INTERVAL_MS);
  worker.onerror = abandonWorker;
  worker.port.onmessage = ({ data }) => {
    isWorkerSilent = false;
    if (!('isRinging' in data)) { handleMessage(data); return; }
    pendingBells.get(data.version)?.(data.isRinging);
    pendingBells.delete(data.version);
  };
  offerBell = (bellOffer) => new Promise((resolve) => {
    pendingBells.set(bellOffer.version, resolve);
    worker.port.postMessage({ bell: bellOffer });
  });
  sendSubscriptions = (isFromStart) => worker.port.postMessage(getSubscriptions(isFromStart));
  requestChanges = () => worker.port.postMessage({ requestChanges: true });
  sendSubscriptions();
  // A port does not report that its page has closed; a page restored by "back" opens again.
  addEventListener('pagehide', () => worker.port.postMessage({ isClosing: true }), { signal: abortController.signal });
  addEventListener('pageshow', (event) => { if (event.persisted) sendSubscriptions(); }, abortController);
}

// Without SharedWorker (Chrome on Android), each visible page has its own connection; hidden ones close theirs, so that six open
// connections are never reached.
function connectAlone() {
  const connection = new StreamConnection(handleMessage);
  offerBell = () => true;
  sendSubscriptions = (isFromStart) => {
    const { topics, sessionKey } = getSubscriptions(isFromStart);
    if (document.hidden) connection.unwatch(topics.map(([topic]) => topic));
    else connection.watch(topics, sessionKey);
    if (connection.status) showStatus({ status: connection.status });
  };
  requestChanges = () => connection.requestChanges();
  document.addEventListener('visibilitychange', () => sendSubscriptions());
  sendSubscriptions();
}

document.getElementById('plans-slot')?.append(...document.querySelectorAll('#plans'));
if (livePart?.dataset.pageTitle) setTitle(livePart.dataset.pageTitle);
if (livePart?.dataset.topic) {
  ('SharedWorker' in window ? connectShared : connectAlone)();
  document.addEventListener('htmx:config:request', addDeltaBase);
  document.addEventListener('htmx:after:request', readReceivedState);
  document.addEventListener('htmx:after:swap', handleSwap);
  document.addEventListener('htmx:error', handleFailedRequest);
  addEventListener('offline', handleFailedRequest);
  addEventListener('online', handleFailedRequest);
}
