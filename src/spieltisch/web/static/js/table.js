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
import './end-scene.js';

// Hot seat: when the turn passes to another player of this device, show the handoff screen. It replaces the page in the history, so
// that "back" does not show it.
document.addEventListener('spieltisch:page-updated', () => {
  const handoffUrl = document.getElementById('live-part').dataset.handoffUrl;
  if (handoffUrl) location.replace(handoffUrl);
});

// Escape closes a menu; what opened it has the focus then.
document.addEventListener('keydown', (event) => {
  const menu = document.querySelector('#table-menu[open], #more-undo-buttons[open]');
  if (event.key !== 'Escape' || !menu) return;
  event.stopImmediatePropagation();
  menu.open = false;
  menu.querySelector('summary').focus();
}, true);

document.addEventListener('click', (event) => {
  const menu = document.getElementById('table-menu');
  if (menu?.open && !menu.contains(event.target)) menu.open = false;
  if (event.target.closest('[data-action="wait"]')) {
    const questionDetails = event.target.closest('details');
    questionDetails.open = false;
    questionDetails.querySelector('summary').focus();
  }
});
