// Choosing elements of map and boards by keys: each of the two is one Tab stop; arrows move to the nearest element that can be chosen,
// Enter chooses it. The prompt offers the same choices, in the same order; there, arrows move between them, too.

const REGIONS = ['#map-static', '#panel', '#strip'];
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

// Safari before 17.4 has no checkVisibility; in a collapsed part, elements have no box there.
const isShown = (one) => (one.checkVisibility?.() ?? true) && one.getBoundingClientRect().width > 0;
const targets = (region) => [...document.querySelectorAll(`${region} .is-target`)].filter(isShown);
const neighbours = (one) => (region(one) ? targets(region(one)) : [...document.querySelectorAll('#choices .choice')].filter(isShown));
const region = (one) => REGIONS.find((name) => one?.closest?.(name));

function middle(one) {
  const box = one.getBoundingClientRect();
  return [box.left + box.width / 2, box.top + box.height / 2];
}

function setTabStop(one, on) {
  one.setAttribute('tabindex', on ? '0' : '-1');
  const title = one.querySelector(':scope > title');
  if (title && !one.hasAttribute('role')) {
    one.setAttribute('role', 'button');
    one.setAttribute('aria-label', title.textContent);
  }
}

export function updateTabStops() {
  for (const one of document.querySelectorAll('[data-place][tabindex]:not(.is-target)')) one.removeAttribute('tabindex');
  for (const name of REGIONS) {
    const all = targets(name);
    const now = all.find((one) => one.getAttribute('tabindex') === '0') ?? all[0];
    for (const one of all) setTabStop(one, one === now);
  }
}

// Focus the Tab stop of a region; return false if nothing can be chosen there.
export function focusNext(name) {
  const next = name && document.querySelector(`${name} .is-target[tabindex="0"]`);
  next?.focus({ preventScroll: true });
  return Boolean(next);
}
export const focusedRegion = () => region(document.activeElement);

// The nearest element in a direction; if there is none, the next or previous one in document order.
function nearest(from, [dx, dy]) {
  const all = neighbours(from);
  const [x, y] = middle(from);
  let best = all.at((all.indexOf(from) + dx + dy) % all.length);
  let least = Infinity;
  for (const one of all) {
    const [across, down] = [middle(one)[0] - x, middle(one)[1] - y];
    const ahead = across * dx + down * dy;
    const aside = Math.abs(across * dy) + Math.abs(down * dx);
    if (one !== from && ahead > 1 && ahead + 2 * aside < least) { least = ahead + 2 * aside; best = one; }
  }
  return best;
}

document.addEventListener('keydown', (event) => {
  const one = event.target;
  const isTarget = one.matches?.('[data-place].is-target');
  if (isTarget && (event.key === 'Enter' || event.key === ' ')) {
    event.preventDefault();
    if (event.repeat) return;
    document.dispatchEvent(new CustomEvent('spieltisch:place', { detail: one.dataset.place }));
  } else if (event.key in ARROWS && (isTarget || one.matches?.('#choices .choice'))) {
    event.preventDefault();
    const next = nearest(one, ARROWS[event.key]);
    if (isTarget) {
      setTabStop(one, false);
      setTabStop(next, true);
    }
    next.focus();
  }
});
