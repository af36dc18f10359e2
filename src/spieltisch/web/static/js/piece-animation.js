// Pieces move from their owner to their place, and a caption describes the move. Both are drawn over the page, which already shows the
// new position, so nothing waits for them.
import { placeCaptionAndBar } from './playback-lanes.js';

const SVG_NAMESPACE = 'http://www.w3.org/2000/svg';
const PACE_DURATIONS = { // milliseconds: duration of a piece's movement, and how long a move of another player is held
  slow: { travel: 600, hold: 2000 },
  normal: { travel: 500, hold: 1000 },
  fast: { travel: 400, hold: 450 },
  still: { travel: 0, hold: 0 },
};
const MAX_ANIMATED_PIECES = 12; // pieces at a time: a new age moves more than a player can follow
const reducedMotionQuery = matchMedia('(prefers-reduced-motion: reduce)');

export const getAnimationSpeed = () => PACE_DURATIONS[document.documentElement.dataset.pace] ?? PACE_DURATIONS.normal;

const isVisible = (part) => part && part.getClientRects().length > 0;

function findElement(id) {
  if (!id) return null;
  return [document.getElementById(id), document.querySelector(`#live-part [data-place="${CSS.escape(id)}"]`)].find(isVisible) ?? null;
}

// The element of a move, or else that of its player.
function findMoveOrigin({ moveElement, seat }) {
  return [moveElement, `board-${seat}`, `player-${seat}`, `seat-${seat}`].map(findElement).find(Boolean);
}

// The centre of an element; of a long row its start, where the name is.
function getCentre(part) {
  const box = part?.getBoundingClientRect();
  return box && { x: box.left + Math.min(box.width / 2, 80), y: box.top + Math.min(box.height / 2, 60) };
}

function animatePiece({ iconName, count, from, to }, duration) {
  for (let index = 0; index < Math.min(count, 3); index += 1) {
    const icon = document.createElementNS(SVG_NAMESPACE, 'svg');
    icon.setAttribute('class', 'icon moving-piece');
    icon.setAttribute('viewBox', '0 0 24 24');
    icon.setAttribute('aria-hidden', 'true');
    const use = document.createElementNS(SVG_NAMESPACE, 'use');
    use.setAttribute('href', `#icon-${iconName}`);
    icon.append(use);
    document.body.append(icon);
    const createTransform = ({ x, y }, size) => ({ transform: `translate(${x}px, ${y}px) translate(-50%, -50%) scale(${size})` });
    const animation = icon.animate([createTransform(from, 0.7), createTransform(to, 1)], { duration, delay: 60 * index, easing: 'ease-in-out', fill: 'both' });
    animation.onfinish = animation.oncancel = () => icon.remove();
  }
}

// Call this before the page changes, to record present positions. It returns a function to call after the change, which starts the
// animations with as much of the requested time as `getAvailableTime` grants. The argument is an element that describes a move; backwards,
// pieces return.
export function animateMove({ dataset }, isBackwards = false) {
  if (!getAnimationSpeed().travel || reducedMotionQuery.matches || document.hidden || !dataset.animations) return () => {};
  const getCentreOfId = (id) => getCentre(id ? findElement(id) : findMoveOrigin(dataset));
  const pieces = dataset.animations.split(' ').slice(0, MAX_ANIMATED_PIECES).map((piece) => {
    const [iconName, count, ...places] = piece.split(',');
    const [start, end] = isBackwards ? places.reverse() : places;
    return { iconName, count: Number(count), start, end, from: getCentreOfId(start) };
  });
  return (getAvailableTime = (requestedTime) => requestedTime) => {
    const duration = getAvailableTime(getAnimationSpeed().travel);
    for (const piece of pieces) {
      const [start, to] = [piece.from ?? getCentreOfId(piece.start), getCentreOfId(piece.end)];
      if (start && to && Math.hypot(to.x - start.x, to.y - start.y) > 4) animatePiece({ ...piece, from: start, to }, duration);
    }
  };
}

// Draw a card again that is no longer in the page, at its old place, from which it goes out upwards, as its arrow shows.
function animateRemoval({ clone, part, id, oldBox }, timing) {
  for (const element of [clone, ...clone.querySelectorAll('[id], [data-place], [data-group]')]) {
    for (const name of ['id', 'data-place', 'data-group', 'data-highlights', 'data-slide-stage', 'title']) element.removeAttribute(name);
  }
  clone.dataset.removedCard = id;
  clone.setAttribute('aria-hidden', 'true');
  document.getElementById(part)?.append(clone); // its own row may be another element now
  Object.assign(clone.style, { position: 'absolute', zIndex: 5, left: 0, top: 0, margin: 0, width: `${oldBox.width}px`, height: `${oldBox.height}px`, pointerEvents: 'none' });
  const { left, top } = clone.getBoundingClientRect(); // of what its place is counted from
  [clone.style.left, clone.style.top] = [`${oldBox.left - left}px`, `${oldBox.top - top}px`];
  const animation = clone.animate([{ translate: '0 0', opacity: 1 }, { translate: '0 -110%', opacity: 0 }], { ...timing, fill: 'forwards' });
  animation.onfinish = animation.oncancel = () => clone.remove();
}

// Call this before the page changes, and what it returns afterwards: then cards that lie elsewhere now slide there. When a new stage of
// the game has begun, those that left it go out first, and new ones come in last.
export function slideCards() {
  if (!getAnimationSpeed().travel || reducedMotionQuery.matches || document.hidden) return () => {};
  const findCards = () => [...document.querySelectorAll('#panel [data-slide-stage]')];
  const previousCards = findCards().map((card) => ({
    id: card.id, stage: card.dataset.slideStage, oldBox: card.getBoundingClientRect(), part: card.closest('section').id,
    clone: 'slidesOut' in card.dataset && card.cloneNode(true),
  }));
  return (getAvailableTime = (requestedTime) => requestedTime) => {
    const timing = { duration: getAvailableTime(getAnimationSpeed().travel), easing: 'ease-in-out' };
    const isNewStage = previousCards.length > 0 && findCards().some((card) => card.dataset.slideStage !== previousCards[0].stage);
    const removedCards = isNewStage ? previousCards.filter(({ id, clone }) => clone && !document.getElementById(id)) : [];
    for (const card of removedCards) animateRemoval(card, timing);
    const from = (phase) => ({ ...timing, delay: phase * timing.duration, fill: 'backwards' });
    const firstPhase = Number(removedCards.length > 0);
    let slidePhaseCount = 0;
    for (const { id, oldBox } of previousCards) {
      const card = document.getElementById(id);
      const newBox = card?.getBoundingClientRect();
      if (!newBox?.width || !oldBox.width) continue; // it has left, or is or was hidden
      const [xOffset, yOffset] = [oldBox.left - newBox.left, oldBox.top - newBox.top];
      if (Math.hypot(xOffset, yOffset) < oldBox.height / 2) continue; // the layout has changed, not the place
      slidePhaseCount = 1;
      card.animate([{ translate: `${xOffset}px ${yOffset}px` }, { translate: '0 0' }], from(firstPhase));
    }
    const previousIds = new Set(previousCards.map(({ id }) => id));
    for (const card of isNewStage ? findCards() : []) {
      if (!previousIds.has(card.id)) card.animate([{ translate: '0 25%', opacity: 0 }, { translate: '0 0', opacity: 1 }], from(firstPhase + slidePhaseCount));
    }
  };
}

// Show the caption of a move in its lane. A replay on a phone has none: the move is next to its buttons.
export function showCaption(move) {
  const captionBox = document.getElementById('move-caption');
  if (!getAnimationSpeed().hold || !move.textContent.trim()) return;
  captionBox.replaceChildren(...[...move.childNodes].map((part) => part.cloneNode(true)));
  captionBox.hidden = false;
  if (!placeCaptionAndBar()) hideCaption();
}

export function hideCaption() {
  document.getElementById('move-caption')?.setAttribute('hidden', '');
  placeCaptionAndBar();
}
