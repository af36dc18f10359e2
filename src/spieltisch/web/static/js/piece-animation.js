// Things travel from their owner to their place, and a caption at the place says what was done. Both are drawn over the page, which
// already is as it will stay: nothing waits for them.

const SVG = 'http://www.w3.org/2000/svg';
const PACES = { // milliseconds: how long a thing is under way, and how long another's move is held
  slow: { travel: 600, hold: 2000 },
  normal: { travel: 500, hold: 1000 },
  fast: { travel: 400, hold: 450 },
  still: { travel: 0, hold: 0 },
};
const MOST = 12; // things that travel at once: a new age moves more than anybody can follow
const calm = matchMedia('(prefers-reduced-motion: reduce)');

export const animationSpeed = () => PACES[document.documentElement.dataset.pace] ?? PACES.normal;

const visible = (part) => part && part.getClientRects().length > 0;

function elementOf(id) {
  if (!id) return null;
  return [document.getElementById(id), document.querySelector(`#live [data-place="${CSS.escape(id)}"]`)].find(visible) ?? null;
}

// The place of a move: what it names, or else who made it.
function place({ moveElement, seat }) {
  return [moveElement, `board-${seat}`, `player-${seat}`, `seat-${seat}`].map(elementOf).find(Boolean);
}

// The middle of a thing; of a long row its beginning, where the name stands.
function middle(part) {
  const box = part?.getBoundingClientRect();
  return box && { x: box.left + Math.min(box.width / 2, 80), y: box.top + Math.min(box.height / 2, 60) };
}

function animatePiece({ mark, many, from, to }, duration) {
  for (let n = 0; n < Math.min(many, 3); n += 1) {
    const sign = document.createElementNS(SVG, 'svg');
    sign.setAttribute('class', 'sign travelling');
    sign.setAttribute('viewBox', '0 0 24 24');
    sign.setAttribute('aria-hidden', 'true');
    const use = document.createElementNS(SVG, 'use');
    use.setAttribute('href', `#sign-${mark}`);
    sign.append(use);
    document.body.append(sign);
    const at = ({ x, y }, size) => ({ transform: `translate(${x}px, ${y}px) translate(-50%, -50%) scale(${size})` });
    const way = sign.animate([at(from, 0.7), at(to, 1)], { duration, delay: 60 * n, easing: 'ease-in-out', fill: 'both' });
    way.onfinish = way.oncancel = () => sign.remove();
  }
}

// To be called before the page changes: it looks where things are now. What it returns is called after the change, and sends them
// off, in as much of the time wished as `timeFor` says. `moved` is an element that bears what a move did; backwards, things go back
// where they came from.
export function animateMove({ dataset }, backwards = false) {
  if (!animationSpeed().travel || calm.matches || document.hidden || !dataset.animations) return () => {};
  const find = (id) => middle(id ? elementOf(id) : place(dataset));
  const lifted = dataset.animations.split(' ').slice(0, MOST).map((one) => {
    const [mark, many, ...ends] = one.split(',');
    const [start, end] = backwards ? ends.reverse() : ends;
    return { mark, many: Number(many), start, end, from: find(start) };
  });
  return (timeFor = (wished) => wished) => {
    const duration = timeFor(animationSpeed().travel);
    for (const one of lifted) {
      const [from, to] = [one.from ?? find(one.start), find(one.end)];
      if (from && to && Math.hypot(to.x - from.x, to.y - from.y) > 4) animatePiece({ ...one, from, to }, duration);
    }
  };
}

// Where the prompt begins on a phone, whose lower part it takes; else the end of the window.
function floor() {
  const prompt = document.getElementById('prompt')?.getBoundingClientRect();
  return prompt && prompt.width > innerWidth * 0.9 && prompt.top > innerHeight * 0.3 ? Math.min(prompt.top, innerHeight) : innerHeight;
}

// At a desk what is said has a lane of its own, beside the title: nothing lies over the boards.
const fitted = matchMedia(document.getElementById('desk')?.media ?? 'not all');

function layInLane(said) {
  const [title, head, menu] = ['.head h1', '.head', '.head .menu'].map((part) => document.querySelector(part)?.getBoundingClientRect());
  const lane = fitted.matches && title?.width > 0;
  said.classList.toggle('in-lane', lane);
  said.style.width = lane ? `${(menu?.left ?? head.right) - title.right - 24}px` : '';
  if (lane) [said.style.left, said.style.top] = [`${title.right + 12}px`, `${title.top + title.height / 2}px`];
  return lane;
}

// Says what a move did, at its place; whole within the window, beside the place, not over it, and not over the prompt.
export function caption(moved) {
  const said = document.getElementById('caption');
  const spot = place(moved.dataset)?.getBoundingClientRect();
  if (!animationSpeed().hold || !spot || !moved.textContent.trim()) return;
  said.replaceChildren(...[...moved.childNodes].map((part) => part.cloneNode(true)));
  said.hidden = false;
  if (layInLane(said)) return;
  const own = said.getBoundingClientRect();
  const within = (at, size, room) => Math.min(Math.max(at, 6), Math.max(room - size - 6, 6));
  const above = spot.top - own.height - 8;
  said.style.left = `${within(spot.left + Math.min(spot.width / 2, 160) - own.width / 2, own.width, innerWidth)}px`;
  const bar = document.getElementById('stage')?.getBoundingClientRect().bottom ?? 0; // 0 while it is hidden
  said.style.top = `${within(Math.max(above > 6 ? above : spot.bottom + 8, bar + 6), own.height, floor())}px`;
}

export function hideCaption() { document.getElementById('caption')?.setAttribute('hidden', ''); }
