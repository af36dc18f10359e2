// The table page: the stream, the word tree, the map, and a few small buttons.
import './stream.js';
import './choices.js';
import './map.js';
import './copy.js';
import './bell.js';

document.addEventListener('click', (event) => {
  const menu = document.getElementById('menu');
  if (menu?.open && !menu.contains(event.target)) menu.open = false;
});
