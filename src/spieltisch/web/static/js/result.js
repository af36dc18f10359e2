// Count out the result of a game that has just ended: one source of points after the other, then the totals and the laurel. A click
// or a key shows everything at once.
const BEAT = 500; // milliseconds for each source

// The cells in the order of counting: a source is a column, or a row in a table whose players are its columns.
function sources(table) {
  const rows = [...table.tBodies].flatMap((body) => [...body.rows]).map((row) => [...row.cells]);
  if (table.tFoot) return [...rows, ...[...table.tFoot.rows].map((row) => [...row.cells])];
  const [, totals, ...columns] = rows[0].map((_, n) => rows.map((row) => row[n]).filter(Boolean));
  return [...columns, totals];
}

function countOut(table) {
  const steps = sources(table);
  const laurels = [...table.querySelectorAll('.laurel')];
  for (const cell of [...steps.flat(), ...laurels]) cell.classList.add('is-uncounted');
  const ended = new AbortController();
  const show = (cells) => { for (const cell of cells) cell.classList.replace('is-uncounted', 'is-counted'); };
  const timer = setInterval(() => {
    show(steps.shift());
    if (!steps.length) finish();
  }, BEAT);
  function finish() {
    clearInterval(timer);
    ended.abort();
    show([...steps.flat(), ...laurels]);
  }
  for (const kind of ['pointerdown', 'keydown']) addEventListener(kind, finish, { signal: ended.signal });
}

const table = document.querySelector('#panel-end table');
const still = document.documentElement.dataset.pace === 'still' || matchMedia('(prefers-reduced-motion: reduce)').matches;
if (location.hash === '#counted') {
  history.replaceState(history.state, '', location.pathname + location.search);
  if (table && !still) countOut(table);
}
