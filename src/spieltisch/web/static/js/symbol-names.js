// Shows the name and number of a symbol next to it: under a pointer, on focus, or under a resting finger, which also gets the titles
// that a pointer gets from the browser. The text is what a screen
// reader reads there, so that it is written only once; if there is none, the name is in the list #sign-names.

const HOLD = 500; // milliseconds for which a finger must rest
const SLIP = 10; // pixels that it may move during that time
const SYMBOLS = ':is(#panel, #strip, #prompt, #head) svg';
const TITLED = ':is(#panel, #strip, #prompt, #head) [title]';
const EDGES = 'section, ul, ol, table, tbody, #strip, #prompt, #panel, #live';
const MAX_NAME_LENGTH = 120; // a longer text is not the name of the symbol but all the text around it

const tip = document.createElement('div');
tip.id = 'symbol-tip';
tip.setAttribute('role', 'tooltip');
tip.hidden = true;
document.body.append(tip);
let untitled = null; // an element whose title is removed while the tip shows it
let timer = 0;
let pressed = null; // where a finger touched
let clicked = null; // where the mouse was pressed last, until it moves: what the page then puts there is not pointed at
let answered = false; // whether the tip was shown for this touch, which then chooses nothing

// The text of an element as a screen reader reads it; a dot stands between its paragraphs.
function heard(element) {
  const walk = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  let said = '';
  let last = null;
  while (walk.nextNode()) {
    const { data, parentElement } = walk.currentNode;
    const text = data.trim().replace(/\s+/g, ' ');
    if (!text || parentElement.closest('[aria-hidden="true"]')) continue;
    const paragraph = parentElement.closest('p, h3');
    if (said) said += paragraph === last ? ' ' : ' · ';
    said += text;
    last = paragraph;
  }
  return said;
}

function textFrom(element) {
  for (let one = element; one && !one.matches(EDGES); one = one.parentElement) {
    const name = [one.title, one.getAttribute('aria-label'), heard(one)].filter(Boolean);
    const term = one.matches('dd') ? heard(one.previousElementSibling) : '';
    const said = [...new Set([term, ...name])].filter(Boolean);
    const isRepeated = (text, n) => said.some((longer, m) => m > n && longer.toLowerCase().startsWith(`${text.toLowerCase()} ·`));
    if (name.length) return said.filter((text, n) => !isRepeated(text, n)).join(': ');
  }
  // For a picture, the heading of its section.
  return document.getElementById(element?.closest('section')?.getAttribute('aria-labelledby'))?.textContent ?? '';
}

function nameOf(symbol, pointed = symbol.querySelector('use')) {
  const sign = pointed?.getAttribute('href')?.slice(1);
  const listed = document.querySelector(`#sign-names [data-sign="${CSS.escape(sign ?? '')}"]`)?.textContent ?? '';
  const own = (pointed?.closest('[data-name]')?.dataset.name || symbol.querySelector(':scope > title')?.textContent) ?? '';
  const near = own || textFrom(symbol.parentElement);
  if (near.length > MAX_NAME_LENGTH && listed) return listed;
  return near.toLowerCase().includes(listed.toLowerCase()) ? near : `${listed}: ${near}`.replace(/: $/, '');
}

// The spaces of a drawing that shows many side by side, such as a track, and lists their names in order.
function spacesOf(use) {
  const names = JSON.parse(document.getElementById(use?.getAttribute('href')?.slice(1))?.dataset.names ?? '[]');
  const { left, top, width, height } = use?.getBoundingClientRect() ?? {};
  const [wide, high] = width > height ? [width / names.length, 0] : [0, height / names.length];
  return names.map((text, n) => ({ text, box: new DOMRect(left + n * wide, top + n * high, wide || width, high || height) }));
}

const spaceAt = (use, { clientX, clientY }) => spacesOf(use).find(({ box }) =>
  clientX >= box.left && clientX <= box.right && clientY >= box.top && clientY <= box.bottom);

function show(text, box) {
  if (!text) return;
  tip.textContent = text;
  tip.hidden = false;
  const own = tip.getBoundingClientRect();
  const left = Math.min(Math.max(8, box.left + box.width / 2 - own.width / 2), document.documentElement.clientWidth - own.width - 8);
  const above = box.top - own.height - 6;
  tip.style.left = `${left}px`;
  tip.style.top = `${above > 8 ? above : box.bottom + 6}px`;
}

function hide() {
  clearTimeout(timer);
  tip.hidden = true;
  if (untitled) untitled.element.title = untitled.title;
  untitled = null;
}

function tellTitle(element) {
  const text = textFrom(element);
  show(text.length > MAX_NAME_LENGTH ? element.title : text, element.getBoundingClientRect());
}

const isAt = (place, { clientX, clientY }) => place && Math.hypot(clientX - place[0], clientY - place[1]) <= SLIP;

function tell(symbol, event) {
  hide();
  const pointed = event.target.closest('use') ?? undefined;
  const space = spaceAt(pointed, event);
  const text = space?.text ?? nameOf(symbol, pointed);
  const titled = symbol.closest('[title]');
  if (titled) {
    untitled = { element: titled, title: titled.title };
    titled.removeAttribute('title'); // otherwise the browser would show it, too
  }
  show(text, space?.box ?? symbol.getBoundingClientRect());
}

document.addEventListener('pointerover', (event) => {
  if (event.pointerType !== 'mouse') return;
  const symbol = event.target.closest?.(SYMBOLS);
  if (symbol && !isAt(clicked, event)) tell(symbol, event);
  else hide();
});

document.addEventListener('pointerdown', (event) => {
  hide();
  answered = false;
  const symbol = event.target.closest?.(SYMBOLS);
  const titled = event.target.closest?.(TITLED);
  if (event.pointerType === 'mouse') clicked = [event.clientX, event.clientY];
  if (event.pointerType === 'mouse' || !(symbol || titled)) return;
  pressed = [event.clientX, event.clientY];
  timer = setTimeout(() => {
    answered = true;
    if (symbol) tell(symbol, event);
    else tellTitle(titled);
  }, HOLD);
});
document.addEventListener('pointermove', (event) => {
  if (event.pointerType === 'mouse') {
    const use = event.target.closest?.(`${SYMBOLS} use`);
    const entered = clicked && !isAt(clicked, event) && event.target.closest?.(SYMBOLS);
    if (!isAt(clicked, event)) clicked = null;
    if (entered) tell(entered, event);
    else if (spaceAt(use, event)) tell(use.closest('svg'), event);
  } else if (pressed && !isAt(pressed, event)) clearTimeout(timer);
});
for (const end of ['pointerup', 'pointercancel']) document.addEventListener(end, () => clearTimeout(timer));
document.addEventListener('contextmenu', (event) => { if (answered) event.preventDefault(); });
document.addEventListener('click', (event) => {
  if (!answered) return;
  answered = false;
  event.preventDefault();
  event.stopImmediatePropagation();
}, true);

// A focused element of the boards names all its symbols.
document.addEventListener('focusin', ({ target }) => {
  if (!target.matches(':is(#panel, #strip) :is([data-place], [data-highlights]):focus-visible')) return;
  hide();
  show([...new Set([...target.querySelectorAll('svg')].map((symbol) => nameOf(symbol)))].filter(Boolean).join(' · '), target.getBoundingClientRect());
});
document.addEventListener('focusout', ({ target }) => { if (target.matches('[data-place], [data-highlights], #panel [tabindex]')) hide(); });

// A part with the focus that shows such spaces names one after the other, by the arrow keys.
let current = -1;
function walk(target, step) {
  const spaces = [...target.querySelectorAll('use')].flatMap(spacesOf).filter(({ text, box }) => text && box.width);
  if (!spaces.length) return false;
  spaces.sort((one, other) => one.text.localeCompare(other.text, undefined, { numeric: true }));
  current = (current + step + spaces.length) % spaces.length;
  hide();
  show(spaces[current].text, spaces[current].box);
  return true;
}
document.addEventListener('focusin', ({ target }) => {
  if (!target.matches('#panel section[tabindex]:focus-visible')) return;
  current = -1;
  walk(target, 1);
});
document.addEventListener('keydown', (event) => {
  const step = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
  if (step && event.target.matches('#panel section[tabindex]') && walk(event.target, step)) event.preventDefault();
});
document.addEventListener('scroll', hide, true);
document.addEventListener('spieltisch:changed', hide);
document.addEventListener('keydown', ({ key }) => { if (key === 'Escape') hide(); });

// The list of all symbols opens in the place of the log, where it covers neither boards nor prompt; a log that is too low
// to show it leaves it room from below, over the prompt. On a phone, it opens above the prompt. It has the focus while it is open, so
// that keys scroll it; then what opened it has it, or the menu that is closed by now.
const LEAST = 144;
const narrow = matchMedia('(max-width: 51.99rem)');
let opener = null;
document.addEventListener('toggle', ({ target, newState }) => {
  if (target.id !== 'legend') return;
  if (newState === 'open') {
    target.tabIndex = -1;
    target.focus({ preventScroll: true });
  } else if (document.activeElement === document.body || target.contains(document.activeElement)) opener?.focus();
}, true);
document.addEventListener('click', ({ target }) => {
  const legend = document.getElementById('legend');
  const log = document.getElementById('story')?.getBoundingClientRect();
  if (!legend || !log || !target.closest('[popovertarget="legend"]') || legend.contains(target)) return;
  opener = target.closest('#menu')?.querySelector('summary') ?? target;
  document.getElementById('menu')?.removeAttribute('open');
  const [top, bottom] = narrow.matches
    ? [document.querySelector('.site-header').getBoundingClientRect().bottom, document.getElementById('prompt').getBoundingClientRect().top]
    : [Math.min(log.top, innerHeight - LEAST), innerHeight];
  legend.style.top = `${top}px`;
  legend.style.left = `${narrow.matches ? 6 : log.left}px`;
  legend.style.width = `${narrow.matches ? innerWidth - 12 : log.width}px`;
  legend.style.setProperty('max-height', `${bottom - top - 4}px`);
}, true);
