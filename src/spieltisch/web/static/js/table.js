// The table page: stream, word tree, map, and a few small buttons.
import './handoff-guard.js';
import './stream.js';
import './move-picker.js';
import './bot-progress.js';
import './turn-moves.js';
import './highlight.js';
import './map.js';
import './folded-parts.js';
import './symbol-names.js';
import './share-buttons.js';
import './turn-alert.js';
import './local-times.js';
import './turn-recap.js';
import { enqueue, hasBeats, showFor } from './playback-queue.js';

// Hot seat: when the turn passes to another player of this device, show the handoff screen. It replaces the page in the history, so
// that "back" does not show it.
document.addEventListener('spieltisch:changed', () => {
  const next = document.getElementById('live').dataset.pass;
  if (next) location.replace(next);
});

// When the game ends, its last move is shown to the end, then a beat says who won, then the result page opens, unless the player uses
// something on the page meanwhile, or touches it at all. Any other click or key only ends the beat.
const LOOK = 1500; // milliseconds for the sentence that says who won where there is no beat
const USABLE = 'a:not(#to-end), button, input, select, summary, textarea, #story';
let over = document.getElementById('to-end') !== null;

function leadToEnd() {
  const stay = new AbortController();
  const onUse = ({ target, pointerType }) => { if (pointerType === 'touch' || target.closest?.(USABLE)) stay.abort(); };
  for (const kind of ['pointerdown', 'keydown']) addEventListener(kind, onUse, { signal: stay.signal });
  const hadBeat = hasBeats();
  enqueue(async () => {
    if (!hadBeat) await showFor(null);
    setTimeout(() => {
      const end = document.getElementById('to-end');
      if (end && !stay.signal.aborted) location.assign(`${end.href}#counted`);
    }, hadBeat ? 0 : LOOK);
  });
}

document.addEventListener('spieltisch:changed', () => {
  const end = document.getElementById('to-end');
  if (end && !over) {
    end.focus();
    leadToEnd();
  }
  over = end !== null;
});

// Escape closes a menu; what opened it has the focus then.
document.addEventListener('keydown', (event) => {
  const menu = document.querySelector('#menu[open], #more-ways[open]');
  if (event.key !== 'Escape' || !menu) return;
  event.stopImmediatePropagation();
  menu.open = false;
  menu.querySelector('summary').focus();
}, true);

document.addEventListener('click', (event) => {
  const menu = document.getElementById('menu');
  if (menu?.open && !menu.contains(event.target)) menu.open = false;
  if (event.target.closest('[data-do="wait"]')) {
    const question = event.target.closest('details');
    question.open = false;
    question.querySelector('summary').focus();
  }
});
