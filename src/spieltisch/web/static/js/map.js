// The map: the part that never changes is fetched once (its address holds its hash) and put into the page, below the pieces
// that are pushed; so the page's styles reach it, and its places can be chosen.

const ZOOMS = [1, 1.5, 2, 3];
const REACH = 26; // how far from a legal place a finger may land, in pixels from the edge of its box
let zoom = 0;
let loading = '';

async function load() {
  const address = document.getElementById('live')?.dataset.map;
  const frame = document.getElementById('map-static');
  if (!address || !frame || frame.dataset.of === address || loading === address) return;
  loading = address;
  try {
    const answer = await fetch(address);
    if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
    const drawing = new DOMParser().parseFromString(await answer.text(), 'image/svg+xml').documentElement;
    const now = document.getElementById('map-static');
    now.replaceChildren(document.importNode(drawing, true));
    now.dataset.of = address;
    document.dispatchEvent(new CustomEvent('spieltisch:map'));
  } finally {
    loading = '';
  }
}

function distance(box, x, y) {
  return Math.hypot(Math.max(box.left - x, 0, x - box.right), Math.max(box.top - y, 0, y - box.bottom));
}

// A finger is wider than a small hex: it means the nearest legal one.
function nearest(x, y) {
  let best = null;
  let least = REACH;
  for (const shape of document.querySelectorAll('#map-static .is-target')) {
    const away = distance(shape.getBoundingClientRect(), x, y);
    if (away < least) { least = away; best = shape; }
  }
  return best;
}

document.addEventListener('click', (event) => {
  const map = event.target.closest('#map');
  if (!map && !event.target.closest('#panel')) return;
  let shape = event.target.closest('[data-place]');
  if (map && event.pointerType !== 'mouse' && !shape?.classList.contains('is-target')) shape = nearest(event.clientX, event.clientY) ?? shape;
  if (shape) document.dispatchEvent(new CustomEvent('spieltisch:place', { detail: shape.dataset.place }));
});

document.addEventListener('click', (event) => {
  const step = event.target.closest('[data-do^="zoom-"]')?.dataset.do;
  if (!step) return;
  const frame = document.getElementById('map-frame');
  const middle = [(frame.scrollLeft + frame.clientWidth / 2) / frame.scrollWidth, (frame.scrollTop + frame.clientHeight / 2) / frame.scrollHeight];
  zoom = Math.min(Math.max(zoom + (step === 'zoom-in' ? 1 : -1), 0), ZOOMS.length - 1);
  document.body.dataset.zoom = String(ZOOMS[zoom]);
  frame.scrollTo(middle[0] * frame.scrollWidth - frame.clientWidth / 2, middle[1] * frame.scrollHeight - frame.clientHeight / 2);
});

document.addEventListener('spieltisch:changed', load);
load();
