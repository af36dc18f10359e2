// On a phone parts of the boards fold to their headings, the log to its last line and the prompt to one line of each. A tap opens
// them; a part in which something can be chosen is open by itself, unless the strip above the prompt offers it, too. Where there are
// many such parts, they only say so: opened all at once they would bury each other. The prompt, once opened, stays so while there is
// something to choose: what others do then is looked at on the board. Who comes to it by keys has all of it, too: noted at the root,
// for `:has(:focus-visible)` would have the browser match every style anew whenever something has the focus.

const MOST = 2;

const chosenByPlayer = new Map(); // by the id of a part: whether the player has opened or shut it
const openedByNeed = new Set(); // what was open by itself stays so until the position changes: nothing moves under a finger

const places = (part) => [...part.querySelectorAll('.is-target')].map((one) => one.dataset.place);

let keys = false; // whether a key was pressed last: on a page that nobody has touched, what a script gives the focus has a ring, too

// A pointer's press moves the focus, too, but what it presses must not fold away below it before it is let go.
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
  if (needed.length <= MOST) for (const part of needed) openedByNeed.add(part.id);
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

document.addEventListener('click', (event) => {
  const part = event.target.closest('.unfold')?.parentElement;
  if (part) { chosenByPlayer.set(part.id, !part.classList.contains('is-open')); updateCollapsed(); }
  else if (event.target.closest('#to-story')) {
    event.preventDefault();
    const story = document.getElementById('story');
    chosenByPlayer.set('story', !story.classList.contains('is-open'));
    updateCollapsed();
    if (!story.classList.contains('is-open')) return;
    story.scrollIntoView({ block: 'nearest' });
    const talk = document.getElementById('talk');
    if (talk?.querySelector('[name="text"]')) talk.open = true;
  } else if (event.target.closest('#unroll')) { document.documentElement.toggleAttribute('data-unrolled'); updateCollapsed(); }
});

// Before anything else hears of it: what is folded cannot be reached, and its places have to be known.
document.addEventListener('spieltisch:changed', () => {
  for (const [part, open] of chosenByPlayer) if (!open) chosenByPlayer.delete(part);
  openedByNeed.clear();
  if (!document.getElementById('choices')) document.documentElement.removeAttribute('data-unrolled');
}, true);

updateCollapsed();
