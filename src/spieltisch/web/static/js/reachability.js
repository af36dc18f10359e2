// By which choices the legal hexes can be reached: small icons at the lower edge of each. If all are reached alike, none is drawn.
import { getElementIds } from './move-tree.js';
import { findLabel } from './move-tree-reader.js';

const ICON_SIZE = 0.352; // as a fraction of the hex's width

const findIconHrefs = (chain) => chain.flatMap(({ item }) => [...findLabel(item).querySelectorAll('use')].map((use) => use.getAttribute('href')));

export function createSvgElement(name, attributes) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}

function createIconGroup(shape, hrefs) {
  const box = shape.getBBox();
  const size = ICON_SIZE * box.width;
  const group = createSvgElement('g', { transform: shape.getAttribute('transform') ?? '' });
  const ICONS_PER_ROW = 3;
  hrefs.forEach((href, index) => {
    const countInRow = Math.min(ICONS_PER_ROW, hrefs.length - ICONS_PER_ROW * Math.floor(index / ICONS_PER_ROW));
    const x = box.x + box.width / 2 + ((index % ICONS_PER_ROW) - countInRow / 2) * size;
    const y = box.y + box.height * 0.64 + (Math.floor(index / ICONS_PER_ROW) - (hrefs.length > ICONS_PER_ROW ? 0.6 : 0)) * size;
    group.append(createSvgElement('use', { href, x, y, width: size, height: size }));
  });
  return group;
}

// Draw the icons for the remaining moves.
export function drawReachIcons(chains) {
  const mapDrawing = document.querySelector('#map-drawing svg');
  if (!mapDrawing) return;
  mapDrawing.querySelector('.reach-icons')?.remove();
  const iconsByPlace = new Map();
  for (const chain of chains) {
    const place = getElementIds(chain).at(-1);
    iconsByPlace.set(place, new Set([...(iconsByPlace.get(place) ?? []), ...findIconHrefs(chain)]));
  }
  if (new Set([...iconsByPlace.values()].flatMap((icons) => [...icons])).size < 2) return;
  const iconLayer = createSvgElement('g', { class: 'reach-icons', 'aria-hidden': 'true' });
  for (const [place, icons] of iconsByPlace) {
    const shape = mapDrawing.querySelector(`[data-place="${CSS.escape(place)}"]`);
    if (shape && icons.size) iconLayer.append(createIconGroup(shape, [...icons].sort()));
  }
  mapDrawing.append(iconLayer);
}
