// What a symbol is called and how much of it there is, at its place: under a pointer, at a place that has the focus, and under a finger
// that rests on it. It is what a screen reader says there, so it is written nowhere twice; of a sign beside which nothing is said, the
// name is in the list #sign-names. The same for the boards of all games.

const HOLD = 500; // milliseconds that a finger rests
const SLIP = 10; // pixels that it may move meanwhile
const SYMBOLS = ':is(#panel, #strip, #prompt, #head) svg';
const EDGES = 'section, ul, ol, table, tbody, #strip, #prompt, #panel, #live';
const MOST = 120; // letters: more than that says no name, but all that is written around it

const tip = document.createElement('div');
tip.id = 'symbol-tip';
tip.setAttribute('role', 'tooltip');
tip.hidden = true;
document.body.append(tip);
let untitled = null; // an element without its own title while the tip says it
let timer = 0;
let pressed = null; // where a finger came down
let told = false; // whether its rest was answered: then it chooses nothing

// The text that is heard of an element.
function heard(element) {
  const walk = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const said = [];
  while (walk.nextNode()) {
    const text = walk.currentNode.data.trim().replace(/\s+/g, ' ');
    if (text && !walk.currentNode.parentElement.closest('[aria-hidden="true"]')) said.push(text);
  }
  return said.join(' ');
}

function around(symbol) {
  for (let one = symbol.parentElement; one && !one.matches(EDGES); one = one.parentElement) {
    const name = [one.title, one.getAttribute('aria-label'), heard(one)].filter(Boolean);
    const term = one.matches('dd') ? heard(one.previousElementSibling) : '';
    if (name.length) return [...new Set([term, ...name])].filter(Boolean).join(': ');
  }
  // Of a picture, the heading of its part.
  return document.getElementById(symbol.closest('section')?.getAttribute('aria-labelledby'))?.textContent ?? '';
}

function nameOf(symbol, pointed = symbol.querySelector('use')) {
  const sign = pointed?.getAttribute('href')?.slice(1);
  const listed = document.querySelector(`#sign-names [data-sign="${CSS.escape(sign ?? '')}"]`)?.textContent ?? '';
  const own = symbol.querySelector(':scope > title')?.textContent ?? '';
  const near = own || around(symbol);
  if (near.length > MOST && listed) return listed;
  return near.toLowerCase().includes(listed.toLowerCase()) ? near : `${listed}: ${near}`.replace(/: $/, '');
}

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

function tell(symbol, target) {
  hide();
  const text = nameOf(symbol, target.closest('use') ?? undefined);
  const titled = symbol.closest('[title]');
  if (titled) {
    untitled = { element: titled, title: titled.title };
    titled.removeAttribute('title'); // the browser would say it once more
  }
  show(text, symbol.getBoundingClientRect());
}

document.addEventListener('pointerover', ({ target, pointerType }) => {
  if (pointerType !== 'mouse') return;
  const symbol = target.closest?.(SYMBOLS);
  if (symbol) tell(symbol, target);
  else hide();
});

document.addEventListener('pointerdown', (event) => {
  hide();
  told = false;
  const symbol = event.target.closest?.(SYMBOLS);
  if (event.pointerType === 'mouse' || !symbol) return;
  pressed = [event.clientX, event.clientY];
  timer = setTimeout(() => { told = true; tell(symbol, event.target); }, HOLD);
});
document.addEventListener('pointermove', ({ clientX, clientY, pointerType }) => {
  if (pointerType !== 'mouse' && pressed && Math.hypot(clientX - pressed[0], clientY - pressed[1]) > SLIP) clearTimeout(timer);
});
for (const end of ['pointerup', 'pointercancel']) document.addEventListener(end, () => clearTimeout(timer));
document.addEventListener('contextmenu', (event) => { if (told) event.preventDefault(); });
document.addEventListener('click', (event) => {
  if (!told) return;
  told = false;
  event.preventDefault();
  event.stopImmediatePropagation();
}, true);

// A place of the boards names all its symbols.
document.addEventListener('focusin', ({ target }) => {
  if (!target.matches(':is(#panel, #strip) [data-place]:focus-visible')) return;
  hide();
  show([...new Set([...target.querySelectorAll('svg')].map((symbol) => nameOf(symbol)))].filter(Boolean).join(' · '), target.getBoundingClientRect());
});
document.addEventListener('focusout', ({ target }) => { if (target.matches('[data-place]')) hide(); });
document.addEventListener('scroll', hide, true);
document.addEventListener('spieltisch:changed', hide);
document.addEventListener('keydown', ({ key }) => { if (key === 'Escape') hide(); });
