// A guided first round or a worked example: moves and steps without reloading the page, so that pieces can move. The server explains
// the result of a move; the URL contains the learner's position.
import { foldBlocked } from './move-picker.js';
import './fit-lesson.js';
import './map.js';
import './folded-parts.js';
import './symbol-names.js';
import { enqueueJob, skipToNewest, isPlaybackSkipped } from './playback-queue.js';
import { getBoardHtml, playMoves } from './board-playback.js';
import { getAnimationSpeed } from './piece-animation.js';

const getLivePart = () => document.getElementById('live-part');
let latestRequestNumber = 0; // number of requests, so that a late answer does not replace a newer one
let isPointingOutTask = false; // "Show me" shows where to press
let isPlayingMoves = false; // the boards play moves while the text is still that of the previous step

async function fetchStep(stepUrl) {
  const requestNumber = ++latestRequestNumber;
  skipToNewest();
  const response = await fetch(stepUrl, { headers: { 'HX-Request': 'true' } });
  const html = await response.text();
  if (requestNumber !== latestRequestNumber) return;
  const url = new URL(response.url);
  if (url.pathname.endsWith('/play')) showNotice(html);
  else if (response.ok) enqueueJob(() => showStep(html, url));
  else location.assign(stepUrl);
}

// An explanation of the chosen move, which was not played. A move that needs confirmation stays chosen.
async function showNotice(html) {
  if (!html.includes('id="confirm-button"')) document.dispatchEvent(new CustomEvent('spieltisch:page-updated'));
  await window.htmx.swap({ sourceElement: getLivePart(), target: document.getElementById('notice'), text: html, swap: 'innerHTML' });
  document.getElementById('prompt').scrollTop = 0;
}

// Show the choice and the places that the task asks for, before the move is played. Another press does not wait.
async function pointOutTask(url) {
  const { hold } = getAnimationSpeed();
  const taskPlaces = [...document.querySelectorAll(':is(#map-drawing, #panel, #own-summary) .is-lesson-target')];
  const taskElements = [...document.querySelectorAll('#choices .is-lesson-choice'), ...taskPlaces];
  if (isPointingOutTask || !hold || !taskElements.length) { fetchStep(url); return; }
  isPointingOutTask = true;
  const requestNumber = ++latestRequestNumber;
  for (const element of [taskElements[0], ...taskPlaces.slice(0, 1)]) element.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  for (const element of taskElements) element.classList.add('is-pointed-out');
  await new Promise((resolve) => { setTimeout(resolve, hold); });
  for (const element of taskElements) element.classList.remove('is-pointed-out');
  isPointingOutTask = false;
  if (requestNumber === latestRequestNumber) fetchStep(url);
}

// Put the log of the next page in the place of the answered question. Its last lines, those of the moves that are played now, are
// hidden; each call of the result shows one.
function listMoves(page, count) {
  const log = page.querySelector('#prompt .lesson-log')?.cloneNode(true);
  const comingLines = log ? [...log.children].slice(-count) : [];
  for (const line of comingLines) line.hidden = true;
  if (log) document.getElementById('notice')?.after(log);
  return () => comingLines.shift()?.removeAttribute('hidden');
}

// Play on the boards what has happened since; the text changes after the last piece has arrived.
async function showStep(html, url) {
  const nextPage = new DOMParser().parseFromString(html, 'text/html');
  const { dataset } = nextPage.getElementById('live-part');
  const [firstMove, lastMove, finalBoards] = [Number(dataset.firstMove), Number(dataset.lastMove), getBoardHtml(nextPage)];
  const hasMovesToPlay = Number(getLivePart().dataset.lastMove) <= firstMove && firstMove < lastMove && !isPlaybackSkipped();
  if (url.href !== location.href) history.pushState(null, '', url);
  if (hasMovesToPlay) {
    isPlayingMoves = true;
    // The question has been answered: its choices would cover the boards, and look as if they were still open.
    getLivePart().classList.add('is-playing-moves');
    document.getElementById('notice')?.replaceChildren();
    const nextTitle = nextPage.getElementById('prompt-title').textContent;
    if (!nextPage.getElementById('choices')) document.getElementById('prompt-title').textContent = nextTitle; // a new question comes with its choices
    const onMove = listMoves(nextPage, lastMove - firstMove);
    await playMoves({ firstMove, lastMove, createStepUrl: (step) => `${dataset.boardsUrl}${step}`, finalBoards, onMove }).catch(reportError);
    isPlayingMoves = false;
  }
  await window.htmx.swap({ sourceElement: getLivePart(), target: getLivePart(), text: nextPage.getElementById('live-part').outerHTML, swap: 'outerMorph' });
  foldBlocked();
  document.dispatchEvent(new CustomEvent('spieltisch:page-updated'));
  document.getElementById('live-region').textContent = getLivePart().dataset.announcement;
  for (const id of ['lesson', 'prompt']) document.getElementById(id).scrollTop = 0; // both are read from the start
  scrollTo({ top: 0 });
  document.getElementById('lesson-title').focus({ preventScroll: true }); // in an example the title takes no focus: the link keeps it
}

document.addEventListener('submit', (event) => {
  if (event.target.id !== 'move-form' || !event.submitter) return;
  event.preventDefault();
  if (isPlayingMoves) return; // the choices are about to change; a press skips to them (playback-queue.js)
  const url = new URL(event.submitter.formAction);
  url.searchParams.set('move', event.submitter.value);
  fetchStep(url);
});

document.addEventListener('click', (event) => {
  const link = event.target.closest('[data-lesson-link]');
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  if (link.id === 'show-move-link' && !isPlayingMoves) pointOutTask(link.href);
  else if (!isPlayingMoves || link.href !== location.href) fetchStep(link.href);
});

addEventListener('popstate', () => fetchStep(location.href));
