// What is drawn smaller on the screen than `least` pixels: letters by the height of their type, icons by their larger side. Of a
// board that is one drawing each part is an icon of its own. Left out is what is not seen, and letters that are part of an
// icon (of a symbol, or on a player's plate): there the icon is what has to be large enough; of a piece its letter, too.
(least) => {
  const found = new Set();
  const seen = (node) => {
    if (!node.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return false;
    if (node instanceof SVGElement && !node.getBoundingClientRect().width) return false; // Chromium says that it is visible
    for (let one = node; one; one = one.parentElement) if (getComputedStyle(one).clipPath.startsWith('inset')) return false;
    return true;
  };
  const scale = (node) => {
    const { a, b, c, d } = node.getScreenCTM();
    return Math.sqrt(Math.abs(a * d - b * c));
  };
  const check = (size, what, node) => {
    if (size && size < least - 0.05) found.add(`${size.toFixed(1)}: ${what} in .${node.closest('[class]').getAttribute('class')}`);
  };
  const large = (node) => Math.max(...(({ width, height }) => [width, height])(node.getBoundingClientRect()));
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const node = walk.currentNode;
    const parent = node.parentElement;
    if (!node.data.trim() || parent.closest('symbol, defs, .letter-plate + .drawn-letter, title, script, noscript, option') || !seen(parent)) continue;
    const drawn = parent instanceof SVGElement ? scale(parent) : 1;
    check(parseFloat(getComputedStyle(parent).fontSize) * drawn, JSON.stringify(node.data.trim().slice(0, 40)), parent);
  }
  for (const svg of document.querySelectorAll('svg')) {
    if (!seen(svg)) continue;
    check(large(svg), 'an icon', svg);
    for (const part of svg.querySelectorAll('.reach-icons use, .value-medal > use')) check(large(part), 'an icon', part);
    for (const piece of svg.querySelectorAll('use.piece')) {
      const letter = document.querySelector(`${piece.getAttribute('href')} > .drawn-letter`);
      check(parseFloat(getComputedStyle(letter).fontSize) * scale(piece), `the letter ${letter.textContent}`, piece);
    }
    if (svg.matches('.space-row, .influence-track, .value-track, .run-bar')) for (const one of svg.querySelectorAll('use')) check(large(one), 'an icon', one);
  }
  return [...found];
}
