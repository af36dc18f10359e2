// The map: its fixed part is fetched once (its URL contains its hash) and inserted below the pushed pieces, so that the page's styles
// apply to it and its hexes can be chosen.

const ZOOM_FACTORS = [1, 1.5, 2, 3];
const MIN_HEX_SIZE = 44; // pixels: minimum size of each hex on an enlarged map
const MAX_TAP_DISTANCE = 26; // pixels from the edge of its box: how far from a legal hex a tap still counts
let lastPointerType = ''; // the last pointer type; in Firefox before 129 a click does not contain it
let zoomFactor = 1;
let loadingUrl = '';

async function loadMap() {
  const url = document.getElementById('live-part')?.dataset.mapUrl;
  const frame = document.getElementById('map-drawing');
  if (!url || !frame || frame.dataset.group === url || loadingUrl === url) return;
  loadingUrl = url;
  try {
    const response = await fetch(url);
    if (!response.ok) throw new Error(`${url}: ${response.status}`);
    const mapDrawing = new DOMParser().parseFromString(await response.text(), 'image/svg+xml').documentElement;
    const drawingFrame = document.getElementById('map-drawing');
    drawingFrame.replaceChildren(document.importNode(mapDrawing, true));
    drawingFrame.dataset.group = url;
    document.dispatchEvent(new CustomEvent('spieltisch:map-loaded'));
  } finally {
    loadingUrl = '';
  }
}

function getDistance(box, x, y) {
  return Math.hypot(Math.max(box.left - x, 0, x - box.right), Math.max(box.top - y, 0, y - box.bottom));
}

// A finger is wider than a small hex: a tap chooses the nearest legal one.
function findNearestTarget(x, y) {
  let nearestShape = null;
  let leastDistance = MAX_TAP_DISTANCE;
  for (const shape of document.querySelectorAll('#map-drawing .is-target')) {
    const shapeDistance = getDistance(shape.getBoundingClientRect(), x, y);
    if (shapeDistance < leastDistance) { leastDistance = shapeDistance; nearestShape = shape; }
  }
  return nearestShape;
}

addEventListener('pointerdown', ({ pointerType }) => { lastPointerType = pointerType; }, true);

// Ignore the second click of a double click: it would fall on the next decision.
document.addEventListener('click', (event) => {
  const mapElement = event.target.closest('#map');
  if (event.detail > 1) return;
  if (!mapElement && !event.target.closest('#panel, #own-summary')) return;
  let shape = event.target.closest('[data-place]');
  if (mapElement && lastPointerType !== 'mouse' && !shape?.classList.contains('is-target')) shape = findNearestTarget(event.clientX, event.clientY) ?? shape;
  if (shape) document.dispatchEvent(new CustomEvent('spieltisch:place-chosen', { detail: shape.dataset.place }));
});

// Nor may it move the focus that the first click has set.
document.addEventListener('mousedown', (event) => {
  if (event.detail > 1 && event.target.closest(':is(#map, #panel, #own-summary) [data-place]')) event.preventDefault();
});

// --- Zoom: by buttons, two fingers, or the wheel with Ctrl. The point under the fingers does not move. ---

// The point of the map at a point of the screen, as fractions of its width and height.
function getMapPoint(x, y) {
  const box = document.querySelector('#map-frame .map-sheet').getBoundingClientRect();
  return [(x - box.left) / box.width, (y - box.top) / box.height];
}

function zoomTo(wantedZoom, x, y, [xFraction, yFraction] = getMapPoint(x, y)) {
  const frame = document.getElementById('map-frame');
  const mapSheet = frame.querySelector('.map-sheet');
  // An enlarged map keeps its frame, so that nothing else on the page moves.
  if (zoomFactor === 1) document.documentElement.style.setProperty('--frame', `${frame.offsetHeight}px`);
  zoomFactor = Math.min(Math.max(wantedZoom, ZOOM_FACTORS[0]), ZOOM_FACTORS.at(-1));
  // At the root, which no push replaces.
  document.documentElement.style.setProperty('--zoom', String(zoomFactor));
  document.documentElement.toggleAttribute('data-is-zoomed', zoomFactor > 1);
  const newBox = mapSheet.getBoundingClientRect();
  frame.scrollLeft += newBox.left + xFraction * newBox.width - x;
  frame.scrollTop += newBox.top + yFraction * newBox.height - y;
}

// The zoom steps of the buttons: the first makes the smallest hex large enough for a finger.
function getZoomFactors() {
  const boxes = [...document.querySelectorAll('#map-drawing [data-place]')].map((place) => place.getBoundingClientRect());
  const smallestSize = Math.min(...boxes.map(({ width, height }) => Math.min(width, height))) / zoomFactor;
  const fingerZoom = Math.max(ZOOM_FACTORS[1], MIN_HEX_SIZE / smallestSize);
  return [ZOOM_FACTORS[0], fingerZoom, ...ZOOM_FACTORS.slice(2).filter((step) => step > fingerZoom)];
}

document.addEventListener('click', (event) => {
  const step = event.target.closest('[data-action^="zoom-"]')?.dataset.action;
  if (!step) return;
  const zoomFactors = getZoomFactors();
  const nextZoom = step === 'zoom-in' ? zoomFactors.find((step) => step > zoomFactor + 0.01) : zoomFactors.findLast((step) => step < zoomFactor - 0.01);
  const box = document.getElementById('map-frame').getBoundingClientRect();
  zoomTo(nextZoom ?? zoomFactor, box.left + box.width / 2, box.top + box.height / 2);
});

const fingerPositions = new Map(); // pointer id -> position
let initialDistance = 0; // the distance of two fingers when they touched
let initialZoom = 1;
let heldPoint = [0, 0]; // the point of the map between them
const framesWithListeners = new WeakSet();

function getFingerSpread() {
  const [firstFinger, secondFinger] = fingerPositions.values();
  return { distance: Math.hypot(firstFinger.x - secondFinger.x, firstFinger.y - secondFinger.y), x: (firstFinger.x + secondFinger.x) / 2, y: (firstFinger.y + secondFinger.y) / 2 };
}

function handlePointerDown(event) {
  if (event.pointerType !== 'touch') return;
  fingerPositions.set(event.pointerId, { x: event.clientX, y: event.clientY });
  if (fingerPositions.size === 2) {
    const spread = getFingerSpread();
    initialDistance = Math.max(spread.distance, 1);
    initialZoom = zoomFactor;
    heldPoint = getMapPoint(spread.x, spread.y);
  }
}

function handlePointerMove(event) {
  if (!fingerPositions.has(event.pointerId)) return;
  fingerPositions.set(event.pointerId, { x: event.clientX, y: event.clientY });
  if (fingerPositions.size !== 2) return;
  const spread = getFingerSpread();
  zoomTo(initialZoom * spread.distance / initialDistance, spread.x, spread.y, heldPoint);
}

function handlePointerUp(event) { fingerPositions.delete(event.pointerId); }

function handleWheel(event) {
  if (!event.ctrlKey) return;
  event.preventDefault();
  zoomTo(zoomFactor * Math.exp(-event.deltaY * (event.deltaMode ? 16 : 1) / 300), event.clientX, event.clientY);
}

// The browser scrolls with one finger; it would scroll with two as well.
function handleTwoFingers(event) { if (event.touches.length === 2 && event.cancelable) event.preventDefault(); }

function addFrameListeners() {
  const frame = document.getElementById('map-frame');
  if (!frame || framesWithListeners.has(frame)) return;
  framesWithListeners.add(frame);
  frame.addEventListener('pointerdown', handlePointerDown);
  frame.addEventListener('wheel', handleWheel, { passive: false });
  frame.addEventListener('touchstart', handleTwoFingers, { passive: false });
  frame.addEventListener('touchmove', handleTwoFingers, { passive: false });
}

document.addEventListener('pointermove', handlePointerMove);
document.addEventListener('pointerup', handlePointerUp);
document.addEventListener('pointercancel', handlePointerUp);

document.addEventListener('spieltisch:page-updated', addFrameListeners);
addFrameListeners();
document.addEventListener('spieltisch:page-updated', loadMap);
loadMap();
