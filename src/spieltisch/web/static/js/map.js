// The map: its fixed part is fetched once (its URL contains its hash) and inserted below the pushed pieces, so that the page's styles
// apply to it and its hexes can be chosen.

const ZOOMS = [1, 1.5, 2, 3];
const FINGER = 44; // pixels: minimum size of each hex on an enlarged map
const REACH = 26; // pixels from the edge of its box: how far from a legal hex a tap still counts
let pointer = ''; // the last pointer type; in Firefox before 129 a click does not contain it
let zoom = 1;
let loading = '';

async function load() {
  const address = document.getElementById('live')?.dataset.map;
  const frame = document.getElementById('map-static');
  if (!address || !frame || frame.dataset.group === address || loading === address) return;
  loading = address;
  try {
    const answer = await fetch(address);
    if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
    const drawing = new DOMParser().parseFromString(await answer.text(), 'image/svg+xml').documentElement;
    const now = document.getElementById('map-static');
    now.replaceChildren(document.importNode(drawing, true));
    now.dataset.group = address;
    document.dispatchEvent(new CustomEvent('spieltisch:map'));
  } finally {
    loading = '';
  }
}

function distance(box, x, y) {
  return Math.hypot(Math.max(box.left - x, 0, x - box.right), Math.max(box.top - y, 0, y - box.bottom));
}

// A finger is wider than a small hex: a tap chooses the nearest legal one.
function nearest(x, y) {
  let best = null;
  let least = REACH;
  for (const shape of document.querySelectorAll('#map-static .is-target')) {
    const away = distance(shape.getBoundingClientRect(), x, y);
    if (away < least) { least = away; best = shape; }
  }
  return best;
}

addEventListener('pointerdown', ({ pointerType }) => { pointer = pointerType; }, true);

// Ignore the second click of a double click: it would fall on the next decision.
document.addEventListener('click', (event) => {
  const map = event.target.closest('#map');
  if (event.detail > 1) return;
  if (!map && !event.target.closest('#panel, #strip')) return;
  let shape = event.target.closest('[data-place]');
  if (map && pointer !== 'mouse' && !shape?.classList.contains('is-target')) shape = nearest(event.clientX, event.clientY) ?? shape;
  if (shape) document.dispatchEvent(new CustomEvent('spieltisch:place', { detail: shape.dataset.place }));
});

// Nor may it move the focus that the first click has set.
document.addEventListener('mousedown', (event) => {
  if (event.detail > 1 && event.target.closest(':is(#map, #panel, #strip) [data-place]')) event.preventDefault();
});

// --- Zoom: by buttons, two fingers, or the wheel with Ctrl. The point under the fingers does not move. ---

// The point of the map at a point of the screen, as fractions of its width and height.
function under(x, y) {
  const box = document.querySelector('#map-frame .map-sheet').getBoundingClientRect();
  return [(x - box.left) / box.width, (y - box.top) / box.height];
}

function zoomTo(wanted, x, y, [across, down] = under(x, y)) {
  const frame = document.getElementById('map-frame');
  const sheet = frame.querySelector('.map-sheet');
  // An enlarged map keeps its frame, so that nothing else on the page moves.
  if (zoom === 1) document.documentElement.style.setProperty('--frame', `${frame.offsetHeight}px`);
  zoom = Math.min(Math.max(wanted, ZOOMS[0]), ZOOMS.at(-1));
  // At the root, which no push replaces.
  document.documentElement.style.setProperty('--zoom', String(zoom));
  document.documentElement.toggleAttribute('data-zoomed', zoom > 1);
  const after = sheet.getBoundingClientRect();
  frame.scrollLeft += after.left + across * after.width - x;
  frame.scrollTop += after.top + down * after.height - y;
}

// The zoom steps of the buttons: the first makes the smallest hex large enough for a finger.
function zooms() {
  const boxes = [...document.querySelectorAll('#map-static [data-place]')].map((place) => place.getBoundingClientRect());
  const least = Math.min(...boxes.map(({ width, height }) => Math.min(width, height))) / zoom;
  const first = Math.max(ZOOMS[1], FINGER / least);
  return [ZOOMS[0], first, ...ZOOMS.slice(2).filter((size) => size > first)];
}

document.addEventListener('click', (event) => {
  const step = event.target.closest('[data-do^="zoom-"]')?.dataset.do;
  if (!step) return;
  const sizes = zooms();
  const next = step === 'zoom-in' ? sizes.find((size) => size > zoom + 0.01) : sizes.findLast((size) => size < zoom - 0.01);
  const box = document.getElementById('map-frame').getBoundingClientRect();
  zoomTo(next ?? zoom, box.left + box.width / 2, box.top + box.height / 2);
});

const fingers = new Map(); // pointer id -> position
let apart = 0; // the distance of two fingers when they touched
let zoomThen = 1;
let held = [0, 0]; // the point of the map between them
const tended = new WeakSet();

function spread() {
  const [a, b] = fingers.values();
  return { far: Math.hypot(a.x - b.x, a.y - b.y), x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
}

function touch(event) {
  if (event.pointerType !== 'touch') return;
  fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  if (fingers.size === 2) {
    const now = spread();
    apart = Math.max(now.far, 1);
    zoomThen = zoom;
    held = under(now.x, now.y);
  }
}

function move(event) {
  if (!fingers.has(event.pointerId)) return;
  fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  if (fingers.size !== 2) return;
  const now = spread();
  zoomTo(zoomThen * now.far / apart, now.x, now.y, held);
}

function lift(event) { fingers.delete(event.pointerId); }

function wheel(event) {
  if (!event.ctrlKey) return;
  event.preventDefault();
  zoomTo(zoom * Math.exp(-event.deltaY * (event.deltaMode ? 16 : 1) / 300), event.clientX, event.clientY);
}

// The browser scrolls with one finger; it would scroll with two as well.
function two(event) { if (event.touches.length === 2 && event.cancelable) event.preventDefault(); }

function tend() {
  const frame = document.getElementById('map-frame');
  if (!frame || tended.has(frame)) return;
  tended.add(frame);
  frame.addEventListener('pointerdown', touch);
  frame.addEventListener('wheel', wheel, { passive: false });
  frame.addEventListener('touchstart', two, { passive: false });
  frame.addEventListener('touchmove', two, { passive: false });
}

document.addEventListener('pointermove', move);
document.addEventListener('pointerup', lift);
document.addEventListener('pointercancel', lift);

document.addEventListener('spieltisch:changed', tend);
tend();
document.addEventListener('spieltisch:changed', load);
load();
