// Marks the puzzles that a visitor has solved, and counts the days in a row on which they solved a puzzle of the day. It is stored with
// their name, which takes it along to other devices, and of visitors without a name in the browser alone.
import './fit-lesson.js';
import { inSite } from './site-path.js';

const STORAGE_KEY = 'puzzles';
const MAX_SENT_PUZZLES = 300;
const getLessonElement = () => document.getElementById('lesson');

const progressForm = document.getElementById('puzzle-progress'); // of a person
let savedProgress = progressForm?.dataset.progress;

function readLocalProgress() {
  try {
    return { solved: {}, shown: {}, streak: 0, last: '', best: 0, ...JSON.parse(localStorage.getItem(STORAGE_KEY)) };
  } catch {
    return { solved: {}, shown: {}, streak: 0, last: '', best: 0 }; // storage is disabled, or holds something else
  }
}

const createSet = (names = []) => Object.fromEntries(names.map((name) => [name, 1]));

// What was solved before the visitor had a name belongs to it from then on.
function readProgress() {
  const localProgress = readLocalProgress();
  if (!progressForm) return localProgress;
  const { solved, shown, streak = 0, last = '', best = 0 } = JSON.parse(savedProgress);
  const isLocalNewer = localProgress.last > last || (localProgress.last === last && localProgress.streak > streak);
  return {
    solved: { ...createSet(solved), ...localProgress.solved },
    shown: { ...createSet(shown), ...localProgress.shown },
    streak: isLocalNewer ? localProgress.streak : streak,
    last: isLocalNewer ? localProgress.last : last,
    best: Math.max(localProgress.best, localProgress.streak, best, streak),
  };
}

function storeProgress(progress) {
  try {
    if (progressForm) sendProgress(progress);
    else localStorage.setItem(STORAGE_KEY, JSON.stringify(progress));
  } catch {
    // without storage, nothing is marked at the next visit
  }
}

async function sendProgress({ solved, shown, streak, last, best }) {
  const namesOf = (names) => Object.keys(names).slice(-MAX_SENT_PUZZLES);
  const sentProgress = { solved: namesOf(solved), shown: namesOf(shown), streak, last: last || null, best };
  const { solved: savedSolved = [], shown: savedShown = [], streak: savedStreak = 0, last: savedLast = '', best: savedBest = 0 } = JSON.parse(savedProgress);
  const isSaved = String([savedSolved, savedShown, savedStreak, savedLast, savedBest]) === String([sentProgress.solved, sentProgress.shown, streak, last, best]);
  if (isSaved) return;
  savedProgress = JSON.stringify({ ...sentProgress, last });
  progressForm.elements.progress.value = JSON.stringify(sentProgress);
  const response = await fetch(progressForm.action, { method: 'POST', body: new URLSearchParams(new FormData(progressForm)), keepalive: true });
  if (response.ok) localStorage.removeItem(STORAGE_KEY);
}

function getDayBefore(day) {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() - 1);
  return date.toISOString().slice(0, 10);
}

// A solution that was shown first does not count.
function recordResult(progress, { puzzle, puzzleState: state, today, isToday }) {
  if (state === 'shown' && !progress.solved[puzzle]) progress.shown[puzzle] = 1;
  if (state !== 'right' || progress.shown[puzzle] || progress.solved[puzzle]) return;
  progress.solved[puzzle] = 1;
  if (isToday !== undefined) progress.solved[`${puzzle.split('/')[0]}/${today}`] = 1; // the lobby knows the day alone
  if (isToday === undefined || progress.last === today) return;
  progress.streak = progress.last === getDayBefore(today) ? progress.streak + 1 : 1;
  progress.last = today;
  progress.best = Math.max(progress.best, progress.streak);
}

// Without this the link leads through the games of a day and then to the day before, whether solved or not.
function preferUnsolved(nextLink, progress) {
  const unsolved = nextLink.dataset.preferredPuzzles.split(' ').find((path) => !progress.solved[path.replace(/[^/]*#/, '')]);
  if (unsolved) nextLink.href = inSite(`/puzzles/${unsolved.split('#')[0]}`);
}

// At the next try the moves of a hint are shown again, those that were wrong as such, until the page is left.
const hintedPuzzles = new Set();
const wrongMoves = new Set();

function keepHint({ dataset: { puzzle, wrongMove } }) {
  const hintedMoves = document.querySelectorAll('[data-hinted-move]');
  if (hintedMoves.length) hintedPuzzles.add(puzzle);
  if (wrongMove) wrongMoves.add(`${puzzle} ${wrongMove}`);
  for (const move of hintedMoves) {
    const isWrong = wrongMoves.has(`${puzzle} ${move.dataset.hintedMove}`);
    move.classList.toggle('is-wrong', isWrong);
    move.querySelector('.tag').hidden = !isWrong;
  }
  const hintButton = document.getElementById('hint-button');
  if (!wrongMove || !hintedPuzzles.has(puzzle) || !hintButton) return; // no button: done before the way back to this page
  document.getElementById('try-again').href = hintButton.href;
  hintButton.remove();
}

function showProgress() {
  const progress = readProgress();
  const puzzleElement = getLessonElement();
  if (puzzleElement) {
    recordResult(progress, puzzleElement.dataset);
    keepHint(puzzleElement);
    puzzleElement.querySelector('[data-solved-note]').hidden = !progress.solved[puzzleElement.dataset.puzzle];
  }
  if (puzzleElement || progressForm) storeProgress(progress);
  const nextLink = document.getElementById('next-puzzle-link');
  if (nextLink) preferUnsolved(nextLink, progress);
  for (const solvedMark of document.querySelectorAll('[data-solved-puzzle]')) solvedMark.hidden = !progress.solved[solvedMark.dataset.solvedPuzzle];
  for (const countNote of document.querySelectorAll('[data-solved-count-text]')) {
    const solvedMarks = countNote.closest('[data-today]').querySelectorAll('[data-solved-puzzle]:not([hidden])');
    countNote.textContent = countNote.dataset.solvedCountText.replace('#', solvedMarks.length);
  }
  for (const streakNote of document.querySelectorAll('[data-streak-text]')) {
    const { today } = streakNote.closest('[data-today]').dataset;
    streakNote.hidden = ![today, getDayBefore(today)].includes(progress.last);
    streakNote.textContent = streakNote.dataset.streakText.replace('#', progress.streak);
  }
  for (const bestNote of document.querySelectorAll('[data-best-streak-text]')) {
    const best = Math.max(progress.best, progress.streak);
    bestNote.hidden = !best;
    bestNote.textContent = bestNote.dataset.bestStreakText.replace('#', best);
  }
}

document.addEventListener('spieltisch:page-updated', showProgress);
addEventListener('pageshow', showProgress);
showProgress();
