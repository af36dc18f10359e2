// On a phone, boards are collapsed to their headings, the log to its last line, the prompt to one line of each part. A tap expands
// them. A part in which something can be chosen expands by itself, unless the summary above the prompt offers the same choice; if there
// are several such parts, they are only marked, because together they would fill the screen. An expanded prompt stays so while there
// is something to choose. A keyboard user always gets all of it; this is noted at the root, because with `:has(:focus-visible)` the
// browser would match every style again at each change of focus.

const MAX_PARTS_EXPANDED_BY_NEED = 2;

const expansionsByPlayer = new Map(); // part id -> whether the player has expanded it
const partsExpandedByNeed = new Set(); // parts that expanded by themselves stay so until the position changes, so that nothing moves under a finger

const findTargetPlaces = (part) => [...part.querySelectorAll('.is-target')].map((target) => target.dataset.place);

let isKeyboardUsed = false; // whether the last input was a key: on an untouched page, focus set by a script shows a ring, too

// A press moves the focus, too, but the pressed element must not collapse before the release.
function updateFocusRing({ target }) {
  if (target.matches(':focus-visible')) document.documentElement.toggleAttribute('data-is-keyboard-used', isKeyboardUsed && target.closest('#prompt') !== null);
}

function noteInput(isKey) {
  isKeyboardUsed = isKey;
  document.documentElement.toggleAttribute('data-is-key-used', isKey);
}

document.addEventListener('keydown', () => noteInput(true), true);
document.addEventListener('pointerdown', () => noteInput(false), true);

export function updateCollapsed() {
  const ownSummary = document.getElementById('own-summary');
  const summaryPlaces = new Set(ownSummary ? findTargetPlaces(ownSummary) : []);
  const expandButtons = [...document.querySelectorAll('.expand-button')];
  const neededParts = expandButtons.map((button) => button.parentElement).filter((part) => findTargetPlaces(part).some((place) => !summaryPlaces.has(place)));
  if (neededParts.length <= MAX_PARTS_EXPANDED_BY_NEED) for (const part of neededParts) partsExpandedByNeed.add(part.id);
  for (const button of expandButtons) {
    const part = button.parentElement;
    part.classList.toggle('has-targets', neededParts.includes(part));
    const isOpen = expansionsByPlayer.get(part.id) ?? (partsExpandedByNeed.has(part.id) || part.matches('[data-starts-open]'));
    part.classList.toggle('is-open', isOpen);
    button.setAttribute('aria-expanded', String(isOpen));
    if (part.id === 'log-panel') document.documentElement.toggleAttribute('data-is-log-open', isOpen);
  }
  const isPromptExpanded = document.documentElement.hasAttribute('data-is-prompt-expanded');
  document.getElementById('expand-prompt')?.setAttribute('aria-expanded', String(isPromptExpanded));
}

document.addEventListener('focusin', updateFocusRing);
document.addEventListener('click', ({ detail }) => { if (detail) document.documentElement.removeAttribute('data-is-keyboard-used'); });

// On a small screen the expanded log covers the boards like a page of its own: Escape and the browser's Back close it.
const smallScreenQuery = matchMedia('(max-width: 51.99rem), (max-height: 34.99rem)');
const isLogSheet = (part) => part?.id === 'log-panel' && smallScreenQuery.matches;

function setExpanded(part, isOpen) {
  expansionsByPlayer.set(part.id, isOpen);
  updateCollapsed();
  if (!isLogSheet(part)) return;
  if (isOpen) history.pushState({ sheet: part.id }, '');
  else if (history.state?.sheet) history.back();
}

function closeSheet() {
  const logPanel = document.getElementById('log-panel');
  if (!isLogSheet(logPanel) || !logPanel.classList.contains('is-open')) return false;
  const hadFocus = logPanel.contains(document.activeElement);
  setExpanded(logPanel, false);
  if (hadFocus) logPanel.querySelector('.expand-button').focus({ preventScroll: true });
  return true;
}

addEventListener('popstate', () => { if (!history.state?.sheet) closeSheet(); });
document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape' && closeSheet()) event.stopImmediatePropagation(); // it must not undo a choice behind the sheet
}, true);

document.addEventListener('click', (event) => {
  const part = event.target.closest('.expand-button')?.parentElement;
  if (part) setExpanded(part, !part.classList.contains('is-open'));
  else if (event.target.closest('#log-button')) {
    event.preventDefault();
    const logPanel = document.getElementById('log-panel');
    setExpanded(logPanel, !logPanel.classList.contains('is-open'));
    if (!logPanel.classList.contains('is-open')) return;
    logPanel.scrollIntoView({ block: 'nearest' });
    if (innerWidth >= 832 && matchMedia('(pointer: fine)').matches) document.querySelector('#message-form [name="text"]')?.focus({ preventScroll: true });
  } else if (event.target.closest('#expand-prompt')) { document.documentElement.toggleAttribute('data-is-prompt-expanded'); updateCollapsed(); }
});

// Escape closes chat and log; the button that opened them has the focus then.
document.addEventListener('keydown', (event) => {
  const logPanel = document.getElementById('log-panel');
  if (event.key !== 'Escape' || !logPanel?.classList.contains('is-open') || !logPanel.contains(event.target)) return;
  event.stopImmediatePropagation();
  expansionsByPlayer.set('log-panel', false);
  updateCollapsed();
  document.getElementById('log-button')?.focus();
}, true);

// Runs first: other listeners need the positions of elements that collapse here.
document.addEventListener('spieltisch:page-updated', () => {
  for (const [part, isOpen] of expansionsByPlayer) if (!isOpen && !document.getElementById(part)?.matches('[data-starts-open]')) expansionsByPlayer.delete(part);
  partsExpandedByNeed.clear();
  if (!document.querySelector('#choices, .is-replay')) document.documentElement.removeAttribute('data-is-prompt-expanded');
}, true);

updateCollapsed();
