// The end of a game is a scene at the board: the points of the players are counted source by source, a bot says a word, the laurel
// lands, and then the link to the result has the focus. A click or a key shows everything at once, as do players without animations.
import { enqueueJob, isPlaybackSkipped } from './playback-queue.js';

const SOURCE_TIME_MS = 600; // milliseconds for each source
const LAUREL_DELAY_MS = 900; // milliseconds from the last source to the laurel
const rootData = document.documentElement.dataset;
const findResultLink = () => document.getElementById('result-link');
let isGameOver = findResultLink() !== null;
let isSkipped = false;
let wakeUpPause = () => {};

const pause = (time) => isSkipped || new Promise((resolve) => { wakeUpPause = resolve; setTimeout(resolve, time); });

function skipScene() {
  isSkipped = true;
  wakeUpPause();
}

function showPoints(pointsBySeat) {
  for (const [seat, points] of pointsBySeat.entries()) {
    const pointsElement = document.querySelector(`#seat-${seat} .points`);
    if (pointsElement) pointsElement.textContent = points;
  }
}

// Before anything is counted, neither points nor winners are shown.
async function countPoints() {
  const sources = [...document.querySelectorAll('#end-count > li')];
  const finalPoints = [...document.querySelectorAll('#player-list > li')].map((row) => row.querySelector('.points')?.textContent ?? '');
  const numberFormat = new Intl.NumberFormat(document.documentElement.lang);
  rootData.endScene = 'counting';
  document.getElementById('end-count').hidden = false;
  for (const source of sources) {
    if (isSkipped) break;
    source.classList.add('is-current');
    showPoints(source.dataset.points.split(' ').map((points) => numberFormat.format(points).replace('-', '\u2212')));
    await pause(SOURCE_TIME_MS);
    source.classList.remove('is-current');
  }
  showPoints(finalPoints);
  enqueueJob(landLaurel); // after the word of a bot
}

async function landLaurel() {
  await pause(LAUREL_DELAY_MS);
  endScene();
  if (!isSkipped) rootData.hasLandedLaurel = '';
}

function endScene() {
  for (const eventName of ['pointerdown', 'keydown', 'visibilitychange']) removeEventListener(eventName, skipScene, true);
  document.getElementById('end-count')?.setAttribute('hidden', '');
  delete rootData.endScene;
  findResultLink()?.focus();
}

document.addEventListener('spieltisch:page-updated', () => {
  const hasJustEnded = findResultLink() !== null && !isGameOver;
  isGameOver = findResultLink() !== null;
  if (!hasJustEnded) return;
  if (isPlaybackSkipped() || matchMedia('(prefers-reduced-motion: reduce)').matches || !document.getElementById('end-count')) { endScene(); return; }
  rootData.endScene = 'waiting';
  for (const eventName of ['pointerdown', 'keydown', 'visibilitychange']) addEventListener(eventName, skipScene, true);
  enqueueJob(countPoints);
});
