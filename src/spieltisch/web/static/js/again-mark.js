// The mark of a chosen element at which one more click plays what is shown: on cards and fields drawn by table.css, on a hex of the map
// here, inside its upper right corner.
import { svg } from './reachability.js';

const RADIUS = 0.115; // as a fraction of the hex's width: a locomotive has room beside it

function hexMark(shape) {
  const box = shape.getBBox();
  const r = RADIUS * box.width;
  // In a corner of 120 degrees a circle's centre is 2/√3 radii from the corner.
  const away = box.height / 2 - (2 * r) / Math.sqrt(3);
  const [x, y] = [box.x + box.width / 2 + away * Math.cos(Math.PI / 6), box.y + box.height / 2 - away / 2];
  const group = svg('g', { class: 'again-mark', 'aria-hidden': 'true', transform: shape.getAttribute('transform') ?? '' });
  group.append(
    svg('circle', { cx: x, cy: y, r }),
    svg('path', { d: `M${x - r * 0.5} ${y}l${r * 0.35} ${r * 0.4}l${r * 0.65} ${-r * 0.8}`, 'stroke-width': r * 0.3 }),
  );
  return group;
}

// Mark the elements of this place, and no others.
export function markAgain(where) {
  document.querySelector('#map-static .again-mark')?.remove();
  for (const shape of document.querySelectorAll(':is(#map-static, #panel, #strip) [data-place]')) {
    const isMarked = shape.dataset.place === where;
    shape.classList.toggle('is-again', isMarked);
    if (isMarked && shape.ownerSVGElement) shape.ownerSVGElement.append(hexMark(shape));
  }
}
