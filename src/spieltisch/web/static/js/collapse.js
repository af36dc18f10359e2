// On a phone, boards are collapsed to their headings, the log to its last line, the prompt to one line of each part. A tap expands
// them. A part in which something can be chosen expands by itself, unless the strip above the prompt offers the same choice; if there
// are several such parts, they are only marked, because together they would fill the screen. An expanded prompt stays so while there
// is something to choose. A keyboard user always gets all of it; this is noted at the root, because with `:has(:focus-visible)` the
// browser would match every style again at each change of focus.

const MAX_OPENED = 2;

const chosenByPlayer = new Map(); // part id -> whether the player has expanded it
const openedByNeed = new Set(); // parts that expanded by themselves stay so until the position changes, so that nothing moves under a finger

const places = (part) => [...part.querySelectorAll('.is-target')].map((one) => one.dataset.place);

let keys = false; // whether the last input was a key: on an untouched page, focus set by a script shows a ring, too

// A press moves the focus, too, but the pressed element must not collapse before the release.
function updateFocusRing({ target }) {
  if (target.matches(':focus-visible')) document.documentElement.toggleAttribute('data-keyed', keys && target.closest('#prompt') !== null);
}

document.addEventListener('keydown', () => { keys = true; }, true);
document.addEventListener('pointerdown', () => { keys = false; }, true);

export function updateCollapsed() {
  const strip = document.getElementById('strip');
  const mine = new Set(strip ? places(strip) : []);
  const buttons = [...document.querySelectorAll('.unfold')];
  const needed = buttons.map((one) => one.parentElement).filter((part) => places(part).some((place) => !mine.has(place)));
  if (needed.length <= MAX_OPENED) for (const part of needed) openedByNeed.add(part.id);
  for (const button of buttons) {
    const part = button.parentElement;
    part.classList.toggle('is-needed', needed.includes(part));
    const open = chosenByPlayer.get(part.id) ?? openedByNeed.has(part.id);
    part.classList.toggle('is-open', open);
    button.setAttribute('aria-expanded', String(open));
    if (part.id === 'story') document.documentElement.toggleAttribute('data-story', open);
  }
  const unrolled = document.documentElement.hasAttribute('data-unrolled');
  document.getElementById('unroll')?.setAttribute('aria-expanded', String(unrolled));
}

document.addEventListener('focusin', updateFocusRing);
document.addEventListener('click', ({ detail }) => { if (detail) document.documentElement.removeAttribute('data-keyed'); });

// On a small screen the expanded log covers the boards like a page of its own: Escape and the browser's Back close it.
const small = matchMedia('(max-width: 51.99rem), (max-height: 34.99rem)');
const isSheet = (part) => part?.id === 'story' && small.matches;

function expand(part, open) {
  chosenByPlayer.set(part.id, open);
  updateCollapsed();
  if (!isSheet(part)) return;
  if (open) history.pushState({ sheet: part.id }, '');
  else if (history.state?.sheet) history.back();
}

function closeSheet() {
  const story = document.getElementById('story');
  if (!isSheet(story) || !story.classList.contains('is-open')) return false;
  const inside = story.contains(document.activeElement);
  expand(story, false);
  if (inside) story.querySelector('.unfold').focus({ preventScroll: true });
  return true;
}

addEventListener('popstate', () => { if (!history.state?.sheet) closeSheet(); });
document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape' && closeSheet()) event.stopImmediatePropagation(); // it must not undo a choice behind the sheet
}, true);

document.addEventListener('click', (event) => {
  const part = event.target.closest('.unfold')?.parentElement;
  if (part) expand(part, !part.classList.contains('is-open'));
  else if (event.target.closest('#to-story')) {
    event.preventDefault();
    const story = document.getElementById('story');
    expand(story, !story.classList.contains('is-open'));
    if (!story.classList.contains('is-open')) return;
    story.scrollIntoView({ block: 'nearest' });
    if (innerWidth >= 832 && matchMedia('(pointer: fine)').matches) document.querySelector('#say [name="text"]')?.focus({ preventScroll: true });
  } else if (event.target.closest('#unroll')) { document.documentElement.toggleAttribute('data-unrolled'); updateCollapsed(); }
});

// Escape closes chat and log; the button that opened them has the focus then.
document.addEventListener('keydown', (event) => {
  const story = document.getElementById('story');
  if (event.key !== 'Escape' || !story?.classList.contains('is-open') || !story.contains(event.target)) return;
  event.stopImmediatePropagation();
  chosenByPlayer.set('story', false);
  updateCollapsed();
  document.getElementById('to-story')?.focus();
}, true);

// Runs first: other listeners need the positions of elements that collapse here.
document.addEventListener('spieltisch:changed', () => {
  for (const [part, open] of chosenByPlayer) if (!open) chosenByPlayer.delete(part);
  openedByNeed.clear();
  if (!document.getElementById('choices')) document.documentElement.removeAttribute('data-unrolled');
}, true);

updateCollapsed();
