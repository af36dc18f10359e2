// By which choices the legal hexes can be reached: small icons at the lower edge of each. If all are reached alike, none is drawn.
import { label, elementIds } from './move-tree.js';

const SIZE = 0.336; // as a fraction of the hex's width

const signs = (chain) => chain.flatMap((item) => [...label(item).querySelectorAll('use')].map((use) => use.getAttribute('href')));

export function svg(name, attributes) {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

function pips(shape, hrefs) {
  const box = shape.getBBox();
  const size = SIZE * box.width;
  const group = svg('g', { transform: shape.getAttribute('transform') ?? '' });
  const perRow = 3;
  hrefs.forEach((href, n) => {
    const inRow = Math.min(perRow, hrefs.length - perRow * Math.floor(n / perRow));
    const x = box.x + box.width / 2 + ((n % perRow) - inRow / 2) * size;
    const y = box.y + box.height * 0.64 + (Math.floor(n / perRow) - (hrefs.length > perRow ? 0.6 : 0)) * size;
    group.append(svg('use', { href, x, y, width: size, height: size }));
  });
  return group;
}

// Draw the icons for the remaining moves.
export function markReachers(chains) {
  const board = document.querySelector('#map-static svg');
  if (!board) return;
  board.querySelector('.reach-icons')?.remove();
  const by = new Map();
  for (const chain of chains) {
    const where = elementIds(chain).at(-1);
    by.set(where, new Set([...(by.get(where) ?? []), ...signs(chain)]));
  }
  if (new Set([...by.values()].flatMap((some) => [...some])).size < 2) return;
  const layer = svg('g', { class: 'reach-icons', 'aria-hidden': 'true' });
  for (const [where, some] of by) {
    const shape = board.querySelector(`[data-place="${CSS.escape(where)}"]`);
    if (shape && some.size) layer.append(pips(shape, [...some].sort()));
  }
  board.append(layer);
}
