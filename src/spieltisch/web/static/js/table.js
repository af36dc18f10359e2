// The table page: the stream, the word tree, the map, and a few small buttons.
import './handoff-guard.js';
import './stream.js';
import './move-picker.js';
import './bot-progress.js';
import './turn-moves.js';
import './highlight.js';
import './map.js';
import './symbol-names.js';
import './share-buttons.js';
import './turn-alert.js';
import './local-times.js';
import './turn-recap.js';

// Several people on one device: when the decision goes to another of them, the curtain falls. It takes the
// place of the page that it hides, which "back" would show again.
document.addEventListener('spieltisch:changed', () => {
  const next = document.getElementById('live').dataset.pass;
  if (next) location.replace(next);
});

// When the game ends, one is led to the page about its end; the last move can still be looked at.
let over = document.getElementById('to-end') !== null;
document.addEventListener('spieltisch:changed', () => {
  const end = document.getElementById('to-end');
  if (end && !over) end.focus();
  over = end !== null;
});

document.addEventListener('click', (event) => {
  const menu = document.getElementById('menu');
  if (menu?.open && !menu.contains(event.target)) menu.open = false;
});
