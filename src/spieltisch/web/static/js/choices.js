// The word tree of the legal moves, walked word by word: buttons below the board, and the same moves as places on it.
//
// The tree comes from the server as nested lists (#tree), which also serve without a script. Here nothing is decided: a leaf is
// the server's own button, pressed for the player; why something is off is asked of the server.

const phone = matchMedia('(max-width: 51.99rem)');
const mostBetween = () => (phone.matches ? 2 : 6); // words that are off stand in their place; when there are more, they stand back
let shown = false; // whether the player has opened what stands back
const path = []; // the texts of the words chosen so far
let given = 0; // how many of them every move begins with: they were no choice, and there is no way back before them
let places = []; // when places on the map or boards were chosen first: only the moves that name them all
let busy = false;

const tree = () => document.querySelector('#tree > ul');
const entries = (list) => (list ? [...list.children] : []);
const below = (item) => item.querySelector(':scope > details > ul');
const leaf = (item) => item.querySelector(':scope > button');
const off = (item) => item.querySelector(':scope > a.off');
const open = (list) => entries(list).filter((item) => !off(item));
const label = (item) => item.querySelector('.label');
const note = (item) => leaf(item)?.querySelector('.note');
const table = () => document.getElementById('live').dataset.table;

// The list of words that may follow a path; null when the path is no longer there.
function after(words) {
  let list = tree();
  for (const word of words) {
    const item = entries(list).find((entry) => entry.dataset.text === word && below(entry));
    if (!item) return null;
    list = below(item);
  }
  return list;
}

// The words that every legal move begins with.
function common() {
  const words = [];
  for (let list = tree(); open(list).length === 1; list = after(words)) {
    const [item] = open(list);
    if (leaf(item) || !below(item)) break;
    words.push(item.dataset.text);
  }
  return words;
}

// Every leaf from a list on, each with the items that lead to it.
function leaves(list, before = []) {
  return entries(list).flatMap((item) => [
    ...(leaf(item) ? [[...before, item]] : []),
    ...(below(item) ? leaves(below(item), [...before, item]) : []),
  ]);
}

const named = (chain) => chain.map((item) => item.dataset.place).filter(Boolean);
// A move that can be chosen in two orders of its words stands here once.
function there(list, wanted) {
  const found = new Map();
  for (const chain of leaves(list)) {
    const move = leaf(chain.at(-1)).value;
    if (!found.has(move) && wanted.every((where) => named(chain).includes(where))) found.set(move, chain);
  }
  return [...found.values()];
}

// --- Drawing. ---

function button(className, contents, press) {
  const made = document.createElement('button');
  made.type = 'button';
  made.className = className;
  for (const part of contents) made.append(part.cloneNode ? part.cloneNode(true) : part);
  made.addEventListener('click', press);
  return made;
}

// What a move would do stands below its words. Its name stays the words; the note describes it, wherever it is drawn.
function describe(made, item) {
  const name = leaf(item).getAttribute('aria-label');
  const own = made.textContent.trim().replace(/\s+/g, ' ');
  if (!note(item) || !name.endsWith(own)) made.setAttribute('aria-label', name);
  if (!note(item)) return;
  if (name.endsWith(own)) {
    // A label would have to hold all the text that is shown, so the words before it are there, too, but unseen.
    const before = document.createElement('span');
    before.className = 'unseen';
    before.textContent = name.slice(0, -own.length);
    made.prepend(before);
  }
  const shown = note(item).cloneNode(true);
  shown.removeAttribute('id');
  shown.setAttribute('aria-hidden', 'true');
  made.append(shown);
  made.setAttribute('aria-describedby', note(item).id);
}

function option(item, before = path) {
  if (off(item)) {
    const made = button('choice off', [label(item)], () => ask([...before, item.dataset.text], ''));
    // It can be pressed, and answers with the reason; so it is not "disabled".
    const hint = document.createElement('span');
    hint.className = 'unseen';
    hint.textContent = document.getElementById('choices').dataset.off;
    made.append(' ', hint);
    return made;
  }
  const made = button(leaf(item) && !below(item) ? 'choice leaf' : 'choice', [label(item)], () => choose(item));
  if (leaf(item)) describe(made, item);
  const meant = named([item]).length ? named([item]) : leaves(below(item)).flatMap(named);
  const point = (on) => () => mark(meant, 'is-pointed', on);
  made.addEventListener('pointerenter', point(true));
  made.addEventListener('focus', point(true));
  made.addEventListener('pointerleave', point(false));
  made.addEventListener('blur', point(false));
  return made;
}

function whole(chain) {
  const words = document.createElement('span');
  for (const item of chain) words.append(label(item).cloneNode(true), ' ');
  const made = button('choice leaf', [words], () => press(chain.at(-1)));
  describe(made, chain.at(-1));
  return made;
}

// Words that are off, each made an option, behind a heading with their number.
function standingBack(shut) {
  const made = document.createElement('details');
  made.className = 'standing-back';
  made.open = shown;
  made.addEventListener('toggle', () => { shown = made.open; });
  const heading = document.createElement('summary');
  heading.textContent = `${document.getElementById('tree').dataset.off} (${shut.length})`;
  const group = document.createElement('div');
  group.className = 'options';
  group.append(...shut);
  made.append(heading, group);
  return made;
}

// What is off beside the words that every move begins with.
function passed() {
  const levels = path.slice(0, given).map((_, n) => path.slice(0, n));
  return levels.flatMap((before) => entries(after(before)).filter(off).map((item) => option(item, before)));
}

function draw() {
  const box = document.getElementById('choices');
  if (!box) { path.length = 0; targets([]); return; }
  const beginning = common();
  given = beginning.length;
  if (!after(path) || path.length < given) path.splice(0, path.length, ...beginning);
  const list = after(path);
  const chains = there(list, places);
  if (places.length && chains.length === 0) { places = []; draw(); return; }

  const trail = document.createElement('p');
  trail.className = 'trail';
  if (path.length || places.length) {
    if (path.length > given || places.length) trail.append(button('small back', [box.dataset.back], back));
    let list = tree();
    for (const word of path) {
      const item = entries(list).find((entry) => entry.dataset.text === word);
      const step = document.createElement('span');
      step.className = 'step';
      step.append(label(item).cloneNode(true));
      trail.append(step);
      list = below(item);
    }
  }

  const group = document.createElement('div');
  group.className = 'options';
  group.setAttribute('role', 'group');
  group.setAttribute('aria-labelledby', 'prompt-title');
  const shut = places.length ? [] : entries(list).filter(off);
  const behind = shut.length > mostBetween();
  const words = behind ? open(list) : entries(list);
  const options = places.length ? chains.map(whole) : words.map((item) => option(item));
  const aside = [...(path.length === given && !places.length ? passed() : []), ...(behind ? shut.map((item) => option(item)) : [])];
  group.classList.toggle('many', options.length > 12);
  group.classList.toggle('wholes', places.length > 0);
  group.append(...options);
  box.replaceChildren(trail, group, ...(aside.length ? [standingBack(aside)] : []));
  if (!places.length && options.length > 12 && document.getElementById('map-static')) {
    const hint = document.createElement('p');
    hint.className = 'hint';
    hint.textContent = box.dataset.mapHint;
    box.insertBefore(hint, group);
  }
  targets(chains.flatMap(named));
}

function mark(meant, name, on) {
  for (const where of meant) {
    for (const shape of document.querySelectorAll(`[data-place="${CSS.escape(where)}"]`)) shape.classList.toggle(name, on);
  }
}

function targets(meant) {
  const legal = new Set(meant);
  const mine = document.getElementById('choices') !== null;
  for (const shape of document.querySelectorAll('#map-static [data-place], #panel [data-place]')) {
    shape.classList.toggle('is-target', legal.has(shape.dataset.place));
    shape.classList.toggle('is-off', mine && !legal.has(shape.dataset.place));
    shape.classList.toggle('is-chosen', places.includes(shape.dataset.place));
    shape.classList.remove('is-pointed');
  }
}

// --- Walking. ---

function focusFirst() {
  const first = document.querySelector('#choices .options button:not(.off)') ?? document.querySelector('#choices button');
  first?.focus({ preventScroll: true });
}

function choose(item) {
  if (leaf(item)) { press(item); return; }
  path.push(item.dataset.text);
  // A word that is the only one to go on with is no choice.
  for (;;) {
    const [item, ...others] = open(after(path));
    if (!item || others.length || leaf(item)) break;
    path.push(item.dataset.text);
  }
  clear();
  draw();
  focusFirst();
}

function back() {
  if (places.length) places.pop();
  else if (path.length > given) {
    path.pop();
    while (path.length > given) {
      const [item, ...others] = open(after(path));
      if (!item || others.length || leaf(item)) break;
      path.pop();
    }
  }
  clear();
  draw();
  focusFirst();
}

function press(item) {
  if (busy) return;
  busy = true;
  clear();
  leaf(item).click();
}

function clear() { document.getElementById('notice')?.replaceChildren(); }

function ask(words, where) {
  const query = new URLSearchParams({ words: words.join(' ') });
  if (where) query.set('place', where);
  const me = document.getElementById('live').dataset.me;
  if (me) query.set('me', me);
  window.htmx.ajax('GET', `${table()}/why?${query}`, { target: '#notice', swap: 'innerHTML' });
}

// A place on the map or a board was chosen: play the one move that goes there, offer several, or ask why there is none. A second
// place narrows what the first one left; where no move names both, it stands alone.
function go(where) {
  const list = after(path);
  if (!list) { ask([], where); return; }
  const both = [...new Set([...places, where])];
  const wanted = there(list, both).length ? both : [where];
  const chains = there(list, wanted);
  if (chains.length === 0) {
    // What is off after the words chosen so far may be on after others.
    if (path.length > given && there(after(path.slice(0, given)), [where]).length) { path.length = given; places = []; go(where); }
    else ask(path, where);
  } else if (chains.length === 1 && (path.length > given || wanted.length > 1)) press(chains[0].at(-1));
  else { places = wanted; clear(); draw(); focusFirst(); }
}

document.addEventListener('spieltisch:place', (event) => go(event.detail));
document.addEventListener('spieltisch:map', draw);
phone.addEventListener('change', draw);

let seen = Number(document.getElementById('live').dataset.version);

// Between the morph of a push and the event that tells of it, what is to be chosen from is still drawn as it was before, but the
// moves behind it are those of the new position, and so is the version they would be sent with: a click in between would
// play something else than what its button says. It is lost; what is drawn next can be clicked.
document.addEventListener('click', (event) => {
  if (Number(document.getElementById('live').dataset.version) === seen) return;
  if (!event.target.closest('#choices, #notice, #map, #panel')) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}, true);

document.addEventListener('spieltisch:changed', () => {
  // What was chosen stays for another move of the same turn, not for a turn after those of others. Words that every move began
  // with were not chosen: kept where they are a choice, they would let one click on the board play at once.
  const now = Number(document.getElementById('live').dataset.version);
  if (now !== seen + 1 || path.length === given) path.length = 0;
  seen = now;
  const within = document.activeElement === document.body || document.activeElement?.closest('#prompt');
  busy = false;
  places = [];
  clear();
  draw();
  if (within && document.getElementById('choices')) focusFirst();
});

document.addEventListener('htmx:after:swap', (event) => {
  const notice = document.getElementById('notice');
  if (!notice?.hasChildNodes()) return;
  busy = false;
  document.getElementById('menu')?.removeAttribute('open'); // what was asked for there would lie behind it
  document.getElementById('confirm')?.focus({ preventScroll: true });
  document.getElementById('prompt').scrollTop = 0;
});
document.addEventListener('htmx:error', () => { busy = false; });

document.addEventListener('click', (event) => {
  if (!event.target.closest('[data-do="dismiss"]')) return;
  clear();
  focusFirst();
});

document.addEventListener('keydown', (event) => {
  if (event.key !== 'Escape' || !document.getElementById('choices')) return;
  if (document.getElementById('notice').hasChildNodes()) { clear(); focusFirst(); }
  else if (path.length > given || places.length) back();
});

draw();
