// Marks the puzzles that this browser has solved, and counts the days in a row on which it solved a puzzle of the day. Only the
// browser stores this, so the server learns nothing of it.
const KEY = 'puzzles';
const live = () => document.getElementById('lesson');

function stored() {
  try {
    return { solved: {}, shown: {}, streak: 0, last: '', ...JSON.parse(localStorage.getItem(KEY)) };
  } catch {
    return { solved: {}, shown: {}, streak: 0, last: '' }; // storage is disabled, or holds something else
  }
}

function store(progress) {
  try {
    localStorage.setItem(KEY, JSON.stringify(progress));
  } catch {
    // without storage, nothing is marked at the next visit
  }
}

function dayBefore(day) {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() - 1);
  return date.toISOString().slice(0, 10);
}

// A solution that was shown first does not count.
function record(progress, { puzzle, state, today, isToday }) {
  if (state === 'shown' && !progress.solved[puzzle]) progress.shown[puzzle] = 1;
  if (state !== 'right' || progress.shown[puzzle] || progress.solved[puzzle]) return;
  progress.solved[puzzle] = 1;
  if (isToday === undefined || progress.last === today) return;
  progress.streak = progress.last === dayBefore(today) ? progress.streak + 1 : 1;
  progress.last = today;
}

function show() {
  const progress = stored();
  const asked = live();
  if (asked) {
    record(progress, asked.dataset);
    store(progress);
    asked.querySelector('[data-solved-note]').hidden = !progress.solved[asked.dataset.puzzle];
  }
  for (const mark of document.querySelectorAll('[data-solved]')) mark.hidden = !progress.solved[mark.dataset.solved];
  for (const note of document.querySelectorAll('[data-streak]')) {
    const { today } = note.closest('[data-today]').dataset;
    note.hidden = ![today, dayBefore(today)].includes(progress.last);
    note.textContent = note.dataset.streak.replace('#', progress.streak);
  }
}

document.addEventListener('spieltisch:changed', show);
addEventListener('pageshow', show);
show();
