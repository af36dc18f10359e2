// Pieces move from their owner to their place, and a caption describes the move. Both are drawn over the page, which already shows the
// new position, so nothing waits for them.

const SVG = 'http://www.w3.org/2000/svg';
const PACES = { // milliseconds: duration of a piece's movement, and how long a move of another player is held
  slow: { travel: 600, hold: 2000 },
  normal: { travel: 500, hold: 1000 },
  fast: { travel: 400, hold: 450 },
  still: { travel: 0, hold: 0 },
};
const MAX_ANIMATED = 12; // pieces at a time: a new age moves more than a player can follow
const calm = matchMedia('(prefers-reduced-motion: reduce)');

export const animationSpeed = () => PACES[document.documentElement.dataset.pace] ?? PACES.normal;

const visible = (part) => part && part.getClientRects().length > 0;

function elementOf(id) {
  if (!id) return null;
  return [document.getElementById(id), document.querySelector(`#live [data-place="${CSS.escape(id)}"]`)].find(visible) ?? null;
}

// The element of a move, or else that of its player.
function place({ moveElement, seat }) {
  return [moveElement, `board-${seat}`, `player-${seat}`, `seat-${seat}`].map(elementOf).find(Boolean);
}

// The centre of an element; of a long row its start, where the name is.
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

// Call this before the page changes, to record present positions. It returns a function to call after the change, which starts the
// animations with as much of the requested time as `timeFor` grants. `moved` is an element that describes a move; backwards, pieces
// return.
export function animateMove({ dataset }, backwards = false) {
  if (!animationSpeed().travel || calm.matches || document.hidden || !dataset.animations) return () => {};
  const find = (id) => middle(id ? elementOf(id) : place(dataset));
  const lifted = dataset.animations.split(' ').slice(0, MAX_ANIMATED).map((one) => {
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

// Draw a card again that is no longer in the page, at its old place, from which it goes out upwards, as its arrow shows.
function sendOut({ copy, part, id, was }, timing) {
  for (const named of [copy, ...copy.querySelectorAll('[id], [data-place], [data-group]')]) {
    for (const name of ['id', 'data-place', 'data-group', 'data-highlights', 'data-slides', 'title']) named.removeAttribute(name);
  }
  copy.dataset.gone = id;
  copy.setAttribute('aria-hidden', 'true');
  document.getElementById(part)?.append(copy); // its own row may be another element now
  Object.assign(copy.style, { position: 'absolute', zIndex: 5, left: 0, top: 0, margin: 0, width: `${was.width}px`, height: `${was.height}px`, pointerEvents: 'none' });
  const { left, top } = copy.getBoundingClientRect(); // of what its place is counted from
  [copy.style.left, copy.style.top] = [`${was.left - left}px`, `${was.top - top}px`];
  const way = copy.animate([{ translate: '0 0', opacity: 1 }, { translate: '0 -110%', opacity: 0 }], { ...timing, fill: 'forwards' });
  way.onfinish = way.oncancel = () => copy.remove();
}

// Call this before the page changes, and what it returns afterwards: then cards that lie elsewhere now slide there. When a new stage of
// the game has begun, those that left it go out first, and new ones come in last.
export function slideCards() {
  if (!animationSpeed().travel || calm.matches || document.hidden) return () => {};
  const cards = () => [...document.querySelectorAll('#panel [data-slides]')];
  const before = cards().map((card) => ({
    id: card.id, stage: card.dataset.slides, was: card.getBoundingClientRect(), part: card.closest('section').id,
    copy: 'leaves' in card.dataset && card.cloneNode(true),
  }));
  return (timeFor = (wished) => wished) => {
    const timing = { duration: timeFor(animationSpeed().travel), easing: 'ease-in-out' };
    const isNew = before.length > 0 && cards().some((card) => card.dataset.slides !== before[0].stage);
    const gone = isNew ? before.filter(({ id, copy }) => copy && !document.getElementById(id)) : [];
    for (const card of gone) sendOut(card, timing);
    const from = (turn) => ({ ...timing, delay: turn * timing.duration, fill: 'backwards' });
    const turn = Number(gone.length > 0);
    let slid = 0;
    for (const { id, was } of before) {
      const card = document.getElementById(id);
      const now = card?.getBoundingClientRect();
      if (!now?.width || !was.width) continue; // it has left, or is or was hidden
      const [x, y] = [was.left - now.left, was.top - now.top];
      if (Math.hypot(x, y) < was.height / 2) continue; // the layout has changed, not the place
      slid = 1;
      card.animate([{ translate: `${x}px ${y}px` }, { translate: '0 0' }], from(turn));
    }
    const known = new Set(before.map(({ id }) => id));
    for (const card of isNew ? cards() : []) {
      if (!known.has(card.id)) card.animate([{ translate: '0 25%', opacity: 0 }, { translate: '0 0', opacity: 1 }], from(turn + slid));
    }
  };
}

const phone = matchMedia('(max-width: 51.99rem)');
const boxOf = (part) => document.querySelector(part)?.getBoundingClientRect();

// Captions have a lane, so that they cover no board: at a desk next to the title; on a phone the line of the last move, or
// the header when that line is out of sight, and in a lesson the head of the prompt.
function lane() {
  const [title, head, menu] = ['.head h1', '.head', '.head .menu'].map(boxOf);
  if (title?.width > 1 && !phone.matches) return { left: title.right + 12, width: (menu?.left ?? head.right) - title.right - 24, middle: title.top + title.height / 2 };
  const line = boxOf('.stream:not(.is-open) > .log') ?? boxOf('.guided #prompt');
  if (!line) return null;
  const [header, stage] = ['.site-header', '#stage'].map(boxOf);
  const above = Math.max(header?.bottom ?? 0, stage?.bottom ?? 0); // 0 while it is hidden
  const top = line.top >= above ? line.top : stage?.height ? above : header?.top ?? 0; // in the header when there is something to decide
  return { left: line.left, width: line.width, middle: top + Math.min(line.height / 2, 22) };
}

// Show the caption of a move in its lane. A replay on a phone has none: the move is next to its buttons.
export function caption(moved) {
  const said = document.getElementById('caption');
  const there = lane();
  if (!animationSpeed().hold || !there || !moved.textContent.trim()) return;
  said.replaceChildren(...[...moved.childNodes].map((part) => part.cloneNode(true)));
  said.hidden = false;
  [said.style.left, said.style.width, said.style.top] = [there.left, there.width, there.middle].map((value) => `${value}px`);
}

export function hideCaption() { document.getElementById('caption')?.setAttribute('hidden', ''); }
