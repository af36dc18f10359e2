// Marks the puzzles that this browser has solved, and counts the days in a row on which it solved a puzzle of the day. Only the
// browser stores this, so the server learns nothing of it.
import './fit-lesson.js';
import { inSite } from './site-path.js';

const STORAGE_KEY = 'puzzles';
const getLessonElement = () => document.getElementById('lesson');

function readProgress() {
  try {
    return { solved: {}, shown: {}, streak: 0, last: '', ...JSON.parse(localStorage.getItem(STORAGE_KEY)) };
  } catch {
    return { solved: {}, shown: {}, streak: 0, last: '' }; // storage is disabled, or holds something else
  }
}

function storeProgress(progress) {
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(progress));
  } catch {
    // without storage, nothing is marked at the next visit
  }
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
}

// Without this the link leads through the games of a day and then to the day before, whether solved or not.
function preferUnsolved(nextLink, progress) {
  const unsolved = nextLink.dataset.preferredPuzzles.split(' ').find((path) => !progress.solved[path.replace(/[^/]*#/, '')]);
  if (unsolved) nextLink.href = inSite(`/puzzles/${unsolved.split('#')[0]}`);
}

function showProgress() {
  const progress = readProgress();
  const puzzleElement = getLessonElement();
  if (puzzleElement) {
    recordResult(progress, puzzleElement.dataset);
    storeProgress(progress);
    puzzleElement.querySelector('[data-solved-note]').hidden = !progress.solved[puzzleElement.dataset.puzzle];
  }
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
}

document.addEventListener('spieltisch:page-updated', showProgress);
addEventListener('pageshow', showProgress);
showProgress();
