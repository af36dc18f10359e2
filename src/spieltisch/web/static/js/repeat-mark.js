// The mark of a chosen element at which one more click plays what is shown: on cards and fields drawn by table.css, on a hex of the map
// here, inside its upper right corner.
import { createSvgElement } from './reachability.js';

const MARK_RADIUS = 0.115; // as a fraction of the hex's width: a locomotive has room beside it

function createHexMark(shape) {
  const box = shape.getBBox();
  const radius = MARK_RADIUS * box.width;
  // In a corner of 120 degrees a circle's centre is 2/√3 radii from the corner.
  const cornerDistance = box.height / 2 - (2 * radius) / Math.sqrt(3);
  const [x, y] = [box.x + box.width / 2 + cornerDistance * Math.cos(Math.PI / 6), box.y + box.height / 2 - cornerDistance / 2];
  const group = createSvgElement('g', { class: 'repeat-mark', 'aria-hidden': 'true', transform: shape.getAttribute('transform') ?? '' });
  group.append(
    createSvgElement('circle', { cx: x, cy: y, r: radius }),
    createSvgElement('path', { d: `M${x - radius * 0.5} ${y}l${radius * 0.35} ${radius * 0.4}l${radius * 0.65} ${-radius * 0.8}`, 'stroke-width': radius * 0.3 }),
  );
  return group;
}

// Mark the elements of this place, and no others.
export function markRepeatablePlace(markedPlace) {
  document.querySelector('#map-drawing .repeat-mark')?.remove();
  for (const shape of document.querySelectorAll(':is(#map-drawing, #panel, #own-summary) [data-place]')) {
    const isMarked = shape.dataset.place === markedPlace;
    shape.classList.toggle('is-repeatable', isMarked);
    if (isMarked && shape.ownerSVGElement) shape.ownerSVGElement.append(createHexMark(shape));
  }
}
