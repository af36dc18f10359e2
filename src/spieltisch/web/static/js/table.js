// The table page: the stream, the word tree, the map, and a few small buttons.
import './looks.js';
import './stream.js';
import './choices.js';
import './turn.js';
import './map.js';
import './copy.js';
import './bell.js';
import './times.js';

// Several people on one device: when the decision goes to another of them, the curtain falls. It takes the
// place of the page that it hides, which "back" would show again.
document.addEventListener('spieltisch:changed', () => {
  const next = document.getElementById('live').dataset.pass;
  if (next) location.replace(next);
});

document.addEventListener('click', (event) => {
  const menu = document.getElementById('menu');
  if (menu?.open && !menu.contains(event.target)) menu.open = false;
});
