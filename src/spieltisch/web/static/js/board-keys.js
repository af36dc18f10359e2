// Choosing elements of map and boards by keys: each of the two is one Tab stop; arrows move to the nearest element that can be chosen,
// Enter chooses it. The prompt offers the same choices, in the same order; there, arrows move between them, too.

const REGION_SELECTORS = ['#map-drawing', '#panel', '#own-summary'];
const ARROW_DIRECTIONS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

// Safari before 17.4 has no checkVisibility; in a collapsed part, elements have no box there.
const isShown = (element) => (element.checkVisibility?.() ?? true) && element.getBoundingClientRect().width > 0;
const findTargets = (region) => [...document.querySelectorAll(`${region} .is-target`)].filter(isShown);
const findNeighbours = (element) => (findRegion(element) ? findTargets(findRegion(element)) : [...document.querySelectorAll('#choices .choice')].filter(isShown));
const findRegion = (element) => REGION_SELECTORS.find((name) => element?.closest?.(name));

function getCentre(element) {
  const box = element.getBoundingClientRect();
  return [box.left + box.width / 2, box.top + box.height / 2];
}

function setTabStop(element, isTabStop) {
  element.setAttribute('tabindex', isTabStop ? '0' : '-1');
  const title = element.querySelector(':scope > title');
  if (title && !element.hasAttribute('role')) {
    element.setAttribute('role', 'button');
    element.setAttribute('aria-label', title.textContent);
  }
}

export function updateTabStops() {
  for (const element of document.querySelectorAll('[data-place][tabindex]:not(.is-target)')) element.removeAttribute('tabindex');
  for (const name of REGION_SELECTORS) {
    const regionTargets = findTargets(name);
    const tabStop = regionTargets.find((target) => target.getAttribute('tabindex') === '0') ?? regionTargets[0];
    for (const target of regionTargets) setTabStop(target, target === tabStop);
  }
}

// Focus the Tab stop of a region; return false if nothing can be chosen there.
export function focusTabStop(name) {
  const tabStop = name && document.querySelector(`${name} .is-target[tabindex="0"]`);
  tabStop?.focus({ preventScroll: true });
  return Boolean(tabStop);
}
export const getFocusedRegion = () => findRegion(document.activeElement);

// The nearest element in a direction; if there is none, the next or previous one in document order.
function findNearestInDirection(element, [xDirection, yDirection]) {
  const candidates = findNeighbours(element);
  const [x, y] = getCentre(element);
  let nearestElement = candidates.at((candidates.indexOf(element) + xDirection + yDirection) % candidates.length);
  let leastDistance = Infinity;
  for (const candidate of candidates) {
    const [xOffset, yOffset] = [getCentre(candidate)[0] - x, getCentre(candidate)[1] - y];
    const forwardDistance = xOffset * xDirection + yOffset * yDirection;
    const sidewaysDistance = Math.abs(xOffset * yDirection) + Math.abs(yOffset * xDirection);
    if (candidate !== element && forwardDistance > 1 && forwardDistance + 2 * sidewaysDistance < leastDistance) { leastDistance = forwardDistance + 2 * sidewaysDistance; nearestElement = candidate; }
  }
  return nearestElement;
}

document.addEventListener('keydown', (event) => {
  const element = event.target;
  const isTarget = element.matches?.('[data-place].is-target');
  if (isTarget && (event.key === 'Enter' || event.key === ' ')) {
    event.preventDefault();
    if (event.repeat) return;
    document.dispatchEvent(new CustomEvent('spieltisch:place-chosen', { detail: element.dataset.place }));
  } else if (event.key in ARROW_DIRECTIONS && (isTarget || element.matches?.('#choices .choice'))) {
    event.preventDefault();
    const nextElement = findNearestInDirection(element, ARROW_DIRECTIONS[event.key]);
    if (isTarget) {
      setTabStop(element, false);
      setTabStop(nextElement, true);
    }
    nextElement.focus();
  }
});
