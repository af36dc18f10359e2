// Count out the result of a game that has just ended: one source of points after the other, then the totals and the laurel. A click
// or a key shows everything at once.
const SOURCE_INTERVAL_MS = 500; // milliseconds for each source

// The cells in the order of counting: a source is a column, or a row in a table whose players are its columns.
function findSourceCells(table) {
  const rows = [...table.tBodies].flatMap((body) => [...body.rows]).map((row) => [...row.cells]);
  if (table.tFoot) return [...rows, ...[...table.tFoot.rows].map((row) => [...row.cells])];
  const [, totals, ...columns] = rows[0].map((_, n) => rows.map((row) => row[n]).filter(Boolean));
  return [...columns, totals];
}

function revealStepwise(table) {
  const remainingSteps = findSourceCells(table);
  const laurelIcons = [...table.querySelectorAll('.laurel')];
  for (const cell of [...remainingSteps.flat(), ...laurelIcons]) cell.classList.add('is-uncounted');
  const abortController = new AbortController();
  const showCells = (cells) => { for (const cell of cells) cell.classList.replace('is-uncounted', 'is-counted'); };
  const revealTimer = setInterval(() => {
    showCells(remainingSteps.shift());
    if (!remainingSteps.length) showAll();
  }, SOURCE_INTERVAL_MS);
  function showAll() {
    clearInterval(revealTimer);
    abortController.abort();
    showCells([...remainingSteps.flat(), ...laurelIcons]);
  }
  for (const eventName of ['pointerdown', 'keydown']) addEventListener(eventName, showAll, { signal: abortController.signal });
}

const table = document.querySelector('#panel-end table');
const isAnimationOff = document.documentElement.dataset.pace === 'still' || matchMedia('(prefers-reduced-motion: reduce)').matches;
if (location.hash === '#counted') {
  history.replaceState(history.state, '', location.pathname + location.search);
  if (table && !isAnimationOff) revealStepwise(table);
}
