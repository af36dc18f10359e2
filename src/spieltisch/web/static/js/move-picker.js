// What is chosen of a move: its words, one after the other, as buttons in the prompt, and its places, on the map and the boards.
//
// Nothing is decided here: a leaf of the tree is the server's own button, pressed for the player; the server plays it, or shows
// first what cannot be taken back; why something is off is asked of it, too.
import './page-state.js';
import './fit-prompt.js';
import { updateCollapsed } from './collapse.js';
import { clearPreview, showPreview } from './move-preview.js';
import { focusNext, updateTabStops, focusedRegion } from './board-keys.js';
import { isBehind } from './playback-queue.js';
import { markReachers } from './reachability.js';
import { childrenAfter, childList, alternativesAlong, distinguish, entries, label, moveButton, elementIds, hintOf, gainOf, blockedLink, movesNaming, isUncommon, wordTexts, uniqueMovesNaming, tree, followForced } from './move-tree.js';

const docked = matchMedia('(max-width: 51.99rem), (max-height: 34.99rem)'); // where the choices are one line below the boards
let shown = false; // whether the player has opened what stands back

// What is chosen so far: `path`, the texts of words, of which `firm` were chosen (those after them are the only way on), and the
// places. Nothing of it stays for the next decision.
const emptySelection = () => ({ path: followForced([]), firm: 0, places: [] });
let chosen = emptySelection();
let before = []; // what was chosen before that, for the way back
let busy = false;
let tapped = false; // whether a finger was the last to choose
let from = null; // the region in which a place was chosen by keys
let quiet = false; // whether the focus is put somewhere that nobody has chosen

const table = () => document.getElementById('live').dataset.table;
const decided = () => chosen.path.slice(0, chosen.firm);
const matchingMoves = (places = chosen.places, words = decided()) => uniqueMovesNaming(childrenAfter(words), places);
const withoutUncommon = (chains) => chains.filter((chain) => !chain.some(isUncommon));
const preferCommon = (chains) => (withoutUncommon(chains).length ? withoutUncommon(chains) : chains);

// --- Drawing. ---

function button(className, contents, press) {
  const made = document.createElement('button');
  made.type = 'button';
  made.className = className;
  for (const part of contents) made.append(part.cloneNode ? part.cloneNode(true) : part);
  made.addEventListener('click', press);
  return made;
}

function element(name, className, ...contents) {
  const made = document.createElement(name);
  made.className = className;
  made.append(...contents);
  return made;
}

// What a move would do stands below its words. Its name stays the words; the note describes it, wherever it is drawn.
function describe(made, item) {
  const name = moveButton(item).getAttribute('aria-label');
  const own = made.textContent.trim().replace(/\s+/g, ' ');
  const gain = gainOf(item)?.textContent.trim() ?? '';
  if (!hintOf(item) || !name.endsWith(own)) made.setAttribute('aria-label', `${name} ${gain}`.trim());
  if (gainOf(item)) {
    const words = made.firstElementChild;
    const line = element('span', '');
    words.replaceWith(line);
    line.append(words, ' ', gainOf(item).cloneNode(true));
  }
  if (!hintOf(item)) return;
  if (name.endsWith(own)) {
    // A label would have to hold all the text that is shown, so the words before it are there, too, but unseen.
    made.prepend(element('span', 'visually-hidden', name.slice(0, -own.length)));
  }
  const shown = hintOf(item).cloneNode(true);
  shown.removeAttribute('id');
  shown.setAttribute('aria-hidden', 'true');
  made.append(shown);
  made.classList.add('with-note');
  made.setAttribute('aria-describedby', hintOf(item).id);
}

// What is to be confirmed stays in sight, wherever the pointer goes.
const dropPreview = () => { if (!busy && !document.querySelector('#notice .preview')) clearPreview(); };

// Pointing at what is offered marks its places; at a move, it shows what the boards would be like.
function markOnHover(made, meant, move) {
  const point = (on) => (event) => {
    if (quiet) return;
    mark(meant, 'is-pointed', on);
    if (on && move && (event.type !== 'focus' || made.matches(':focus-visible'))) showPreview(move);
    else if (!on && move) dropPreview();
  };
  for (const [event, on] of [['pointerenter', true], ['focus', true], ['pointerleave', false], ['blur', false]]) {
    made.addEventListener(event, point(on));
  }
}

function wordButton([item, words]) {
  if (blockedLink(item)) {
    // It can be pressed, and answers with the reason; so it is not "disabled".
    const hint = element('span', 'visually-hidden', document.getElementById('choices').dataset.off);
    return button('choice blocked', [label(item), ' ', hint], () => ask([...words, item.dataset.text], ''));
  }
  const end = moveButton(item) && !childList(item);
  // What is at no place stands first where there is room for little.
  const kind = isUncommon(item) ? 'choice rare' : end ? `choice leaf${elementIds([item]).length ? '' : ' placeless'}` : 'choice';
  const made = button(kind, [label(item)], () => choose(item, words));
  if (moveButton(item)) describe(made, item);
  markOnHover(made, elementIds([item]).length ? elementIds([item]) : uniqueMovesNaming(childList(item), []).flatMap(elementIds), moveButton(item)?.value);
  return made;
}

// The words to tell a way apart by, without those of the places that are chosen.
function distinguishingWords({ words }) {
  const others = words.filter((item) => !chosen.places.includes(item.dataset.place));
  return others.length ? others : words;
}

// A word that ends in "…", because more must follow, does so no more where it follows.
function dropEllipsis(word) {
  const texts = document.createTreeWalker(word, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) texts.currentNode.data = texts.currentNode.data.replace(/ …\s*$/, '');
}

// One of several ways to go on at the places that are chosen.
function continuationButton({ chains, words, at }) {
  const [chain] = chains;
  const said = element('span', '');
  for (const item of distinguishingWords({ words })) said.append(label(item).cloneNode(true), ' ');
  [...said.children].slice(0, -1).forEach(dropEllipsis);
  if (chains.length > 1) return button('choice', [said], () => choose(chain[at], [...decided(), ...wordTexts(chain.slice(0, at))]));
  const made = button('choice leaf', [said], () => press(chain.at(-1)));
  describe(made, chain.at(-1));
  markOnHover(made, elementIds(chain), moveButton(chain.at(-1)).value);
  return made;
}

// Rare variants of what is chosen: a link each, after the choice.
function uncommonLinks(chains) {
  const groups = new Map();
  for (const chain of chains) {
    const at = chain.findIndex(isUncommon);
    if (at >= 0) groups.set(chain[at], [...(groups.get(chain[at]) ?? []), chain]);
  }
  const links = [...groups].map(([item, its]) => button('choice rare', [label(item)], () => {
    const [chain] = its;
    if (its.length === 1) press(chain.at(-1));
    else choose(item, [...decided(), ...wordTexts(chain.slice(0, chain.indexOf(item)))]);
  }));
  return links.length ? [element('div', 'uncommon', ...links)] : [];
}

// Words that are off, each made an option, behind a heading with their number.
function collapsedBlocked(shut) {
  const heading = element('summary', '', `${document.getElementById('tree').dataset.off} (${shut.length})`);
  const made = element('details', 'standing-back', heading, element('div', 'options', ...shut));
  made.open = shown;
  made.addEventListener('toggle', () => { shown = made.open; });
  return made;
}

// One step back of what is chosen.
const wayBack = () => (before.length ? [button('small back', [document.getElementById('choices').dataset.back], back)] : []);

// At the end of the dock's line: one step back of what is chosen, or else of what was played.
function dockEnd() {
  const undo = document.getElementById('undo');
  if (before.length || !undo || undo.disabled) return wayBack();
  return [button('small dock-undo', [undo.textContent], () => undo.click())];
}

// The words chosen so far; those that were the only way on need not stand as well as the question that follows them.
function breadcrumbs(asked) {
  const made = element('p', 'trail');
  if (!docked.matches && !document.getElementById('undo')) made.append(...wayBack());
  let list = tree();
  chosen.path.forEach((word, n) => {
    const item = entries(list).find((entry) => entry.dataset.text === word);
    if (n < chosen.firm || !asked) made.append(element('span', 'step', label(item).cloneNode(true)));
    list = childList(item);
  });
  if (docked.matches) {
    const [chain] = matchingMoves();
    for (const item of chain.filter((one) => chosen.places.includes(one.dataset.place))) made.append(element('span', 'step', label(item).cloneNode(true)));
  }
  return made;
}

function heading(asked) {
  if (!asked) return [];
  const made = element('h3', 'asks', asked);
  made.id = 'asks';
  return [made];
}

// Word by word: what may follow the words chosen, and what stands beside the only way on.
function words() {
  const list = childrenAfter(chosen.path);
  const all = [...entries(list).map((item) => [item, chosen.path]), ...alternativesAlong(chosen.path, chosen.firm)];
  const shut = all.filter(([item]) => blockedLink(item));
  const between = all.filter(([item]) => !blockedLink(item) && !isUncommon(item));
  const rares = all.filter(([item]) => isUncommon(item) && !blockedLink(item));
  return {
    asked: list.dataset.asks,
    alone: !chosen.firm && between.every(([item]) => entries(list).includes(item)),
    options: between.map(wordButton),
    rest: [
      ...(rares.length ? [element('div', 'uncommon', ...rares.map(wordButton))] : []),
      ...(shut.length ? [collapsedBlocked(shut.map(wordButton))] : []),
    ],
  };
}

// What is noted of all alike is shown with the first; each is still described by it.
function hintOnce(made) {
  const notes = made.map((one) => one.querySelector('.note'));
  if (notes[0] && notes.every((one) => one?.textContent === notes[0].textContent)) {
    for (const [n, one] of made.entries()) if (n) { notes[n].remove(); one.classList.remove('with-note'); }
  }
  return made;
}

// By places: what is left to tell apart.
function continuations() {
  const chains = matchingMoves();
  const found = distinguish(preferCommon(chains), preferCommon(movesNaming(childrenAfter(decided()), chosen.places)));
  const rest = withoutUncommon(chains).length ? uncommonLinks(chains) : [];
  // The dock names all of it.
  if (docked.matches && found.length === 1) return { asked: '', options: [continuationButton({ ...found[0], words: found[0].chains[0] })], rest };
  const asked = distinguishingWords(found[0]).at(-1).parentElement.dataset.asks;
  return { asked, options: hintOnce(found.map(continuationButton)), rest };
}

// The place about which is asked: the one chosen last, unless others are still to be named after it.
function anchorPlace() {
  const where = chosen.places.at(-1);
  return where && matchingMoves().every((chain) => elementIds(chain).at(-1) === where) ? where : undefined;
}

// Below the choices of a table: one step back of what is chosen, too.
function updateUndo() {
  const undo = document.getElementById('undo');
  undo?.classList.toggle('back', before.length > 0);
  if (undo) undo.disabled = !before.length && 'off' in undo.dataset;
}

function draw() {
  const box = document.getElementById('choices');
  updateUndo();
  if (!box) { chosen.places = []; markPlaces(); return; }
  const { asked: question, alone, options, rest } = chosen.places.length ? continuations() : words();
  const asked = alone || (docked.matches && !before.length) ? '' : question; // the prompt's own heading asks for it
  const group = element('div', 'options', ...options);
  group.classList.toggle('with-notes', options.some((one) => one.classList.contains('with-note')));
  group.setAttribute('role', 'group');
  group.setAttribute('aria-labelledby', asked ? 'asks' : 'prompt-title');
  const hint = !chosen.places.length && options.length > 12 && document.getElementById('map-static') ? [element('p', 'hint', box.dataset.mapHint)] : [];
  box.replaceChildren(breadcrumbs(question), ...heading(asked), ...hint, group, ...(docked.matches ? dockEnd() : []), ...rest);
  markPlaces();
}

function mark(meant, name, on) {
  for (const where of meant) {
    for (const shape of document.querySelectorAll(`[data-place="${CSS.escape(where)}"]`)) shape.classList.toggle(name, on);
  }
}

// On a board that shows an older position nothing can be chosen.
function markPlaces() {
  const mine = document.getElementById('choices') !== null && !isBehind();
  const moves = mine ? matchingMoves() : [];
  const legal = new Set(moves.flatMap(elementIds));
  for (const shape of document.querySelectorAll('#map-static [data-place], #panel [data-place], #strip [data-place]')) {
    shape.classList.toggle('is-target', legal.has(shape.dataset.place));
    shape.classList.toggle('is-blocked', mine && !legal.has(shape.dataset.place));
    shape.classList.toggle('is-chosen', mine && chosen.places.includes(shape.dataset.place));
    shape.classList.remove('is-pointed');
  }
  markReachers(chosen.places.length ? [] : moves);
  updateCollapsed();
  updateTabStops();
}

// --- Choosing. ---

function focusFirst() {
  const first = document.querySelector('#choices .options button:not(.blocked)') ?? document.querySelector('#choices button');
  first?.focus({ preventScroll: true });
}

// Nobody has pointed at it.
function focusQuietly() {
  quiet = true;
  focusFirst();
  quiet = false;
}

// The same choices drawn anew keep the focus among them.
function redraw() {
  const focused = document.activeElement.closest('#choices');
  draw();
  if (focused) focusQuietly();
}

function select(next) {
  before.push(chosen);
  chosen = next;
  clear();
  draw();
}

function choose(item, words) {
  if (moveButton(item)) { press(item); return; }
  const path = [...words, item.dataset.text];
  select({ path: chosen.places.length ? path : followForced(path), firm: path.length, places: chosen.places });
  focusFirst();
}

function back() {
  chosen = before.pop() ?? emptySelection();
  clear();
  draw();
  if (!focusNext(from)) focusFirst();
}

function begin() {
  chosen = emptySelection();
  before = [];
}

function press(item) {
  if (busy) return;
  busy = true;
  document.getElementById('choices').setAttribute('aria-busy', 'true');
  clear();
  moveButton(item).click();
}

function free() {
  busy = false;
  document.getElementById('choices')?.removeAttribute('aria-busy');
}

function clear() {
  const notice = document.getElementById('notice');
  notice?.replaceChildren();
  dropPreview();
}

function ask(words, where) {
  const query = new URLSearchParams({ words: words.join(' ') });
  if (where) query.set('place', where);
  for (const name of ['me', 'moves']) {
    const value = document.getElementById('live').dataset[name];
    if (value) query.set(name, value);
  }
  window.htmx.ajax('GET', `${table()}/why?${query}`, { target: '#notice', swap: 'innerHTML' });
}

// The places that are chosen when one more is: with the others where some move names them all, else alone.
function placesWith(where) {
  const both = [...chosen.places.filter((one) => one !== where), where];
  return matchingMoves(both).length ? both : [where];
}

// The one move that ends at this place, if there is no other.
function onlyMoveAt(where, places) {
  const [only, ...others] = withoutUncommon(matchingMoves(places));
  return only && !others.length && elementIds(only).at(-1) === where ? only.at(-1) : null;
}

// A place was chosen. One move that ends there is played; what is shown of it first is confirmed by choosing the place again. Where
// several are left, they are offered. A second place narrows what the first one left; where no move names both, it stands alone.
function onPlaceChosen(where) {
  if (busy || Number(document.getElementById('live').dataset.version) !== seen) return;
  if (!document.getElementById('choices')) { ask([], where); return; }
  const confirm = document.querySelector('#notice #confirm');
  if (confirm && chosen.places.at(-1) === where) { confirm.click(); return; }
  let places = placesWith(where);
  if (!matchingMoves(places).length) {
    // What is off after the words chosen so far may be on after others.
    if (!uniqueMovesNaming(tree(), [where]).length) { ask(chosen.places.length ? decided() : chosen.path, where); return; }
    begin();
    places = [where];
  }
  const again = chosen.places.join() === places.join();
  if (!again) select({ ...chosen, places });
  const only = onlyMoveAt(where, places);
  // A finger hides what it taps: its hex is named first, with what it brings, and counts when it is tapped again.
  const named = tapped && !again && document.querySelector(`#map-static [data-place="${CSS.escape(where)}"]`);
  if (only && !named) { press(only); return; }
  if (only) showPreview(moveButton(only).value, true);
  if (anchorPlace() || !from) focusFirst();
}

document.addEventListener('spieltisch:place', (event) => {
  from = focusedRegion();
  onPlaceChosen(event.detail);
});
document.addEventListener('spieltisch:map', redraw);
document.addEventListener('spieltisch:boards', markPlaces);
docked.addEventListener('change', redraw);
addEventListener('pointerdown', ({ pointerType }) => { tapped = pointerType === 'touch'; }, true);
addEventListener('keydown', () => { tapped = false; }, true);

let seen = Number(document.getElementById('live').dataset.version);

// Between the morph of a push and the event that tells of it, what is to be chosen from is still drawn as it was before, but the
// moves behind it are those of the new position, and so is the version they would be sent with: a click in between would
// play something else than what its button says. It is lost; what is drawn next can be clicked.
document.addEventListener('click', (event) => {
  if (Number(document.getElementById('live').dataset.version) === seen) return;
  if (!event.target.closest('#choices, #notice, #map, #panel, #strip')) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}, true);

document.addEventListener('spieltisch:changed', () => {
  seen = Number(document.getElementById('live').dataset.version);
  clearPreview(true);
  const inside = document.activeElement === document.body || document.activeElement?.closest('#prompt');
  const placed = focusedRegion() ?? (inside ? from : null);
  free();
  clear();
  begin();
  draw();
  from = null;
  document.getElementById('prompt').scrollTop = 0;
  if (document.getElementById('choices') && !(placed && focusNext(placed)) && inside) focusQuietly();
});

document.addEventListener('htmx:after:swap', (event) => {
  const notice = document.getElementById('notice');
  if (!notice?.hasChildNodes()) return;
  free();
  document.getElementById('menu')?.removeAttribute('open'); // what was asked for there would lie behind it
  if (notice.querySelector('.preview') && chosen.places.length) {
    notice.querySelector('.preview').append(...uncommonLinks(matchingMoves()));
  }
  const confirm = document.getElementById('confirm');
  confirm?.focus({ preventScroll: true });
  if (confirm?.name === 'move') showPreview(confirm.value, true);
  document.getElementById('prompt').scrollTop = 0;
});
document.addEventListener('htmx:error', free);
document.addEventListener('htmx:before:swap', ({ detail }) => {
  clearPreview();
  // What has the focus and is taken out of the page makes the browser lay out all that is to change, and then once more.
  const { activeElement } = document;
  if (detail.ctx.target?.id === 'live' && activeElement.closest('#choices')) activeElement.blur();
});

// A place at which one move would end shows it when it is pointed at.
document.addEventListener('pointerover', (event) => {
  if (busy || event.pointerType !== 'mouse' || !document.getElementById('choices') || document.querySelector('#notice .preview')) return;
  const where = event.target.closest?.('#map-static .is-target, #panel .is-target, #strip .is-target')?.dataset.place;
  const item = where && onlyMoveAt(where, placesWith(where));
  if (item) showPreview(moveButton(item).value);
  else if (!event.target.closest?.('#choices')) clearPreview();
});

// Back to before what is shown: a place that was chosen for it is let go, too.
function dismiss() {
  clear();
  if (chosen.places.length) back();
  else focusFirst();
}

document.addEventListener('click', (event) => {
  const asked = document.querySelector('#notice .preview');
  if (!event.target.closest('#undo') || !(asked || before.length)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  if (asked) dismiss();
  else back();
}, true);

document.addEventListener('click', (event) => {
  if (event.target.closest('[data-do="dismiss"]')) dismiss();
  else if (chosen.places.length && event.target.closest('#map, #panel, .head, .story') && !event.target.closest('[data-place], button, a')) {
    begin();
    clear();
    draw();
  }
});

// By one key, where nothing is typed and the focus is at the table: a digit presses a choice, or one of the answers of what is to be
// confirmed, U goes one step back.
function pressByKey(event) {
  if (event.ctrlKey || event.altKey || event.metaKey || event.repeat || busy) return;
  if (!event.target.closest('#live') || event.target.closest('input, select, textarea')) return;
  const preview = document.querySelector('#notice .preview');
  if (/^[1-9]$/.test(event.key)) {
    const answers = document.querySelectorAll(preview ? '#notice .preview .actions button' : '#choices > .options > .choice:not(.blocked)');
    answers[event.key - 1]?.click();
  } else if (event.key.toLowerCase() === 'u') {
    if (preview) dismiss();
    else if (before.length) back();
    else document.getElementById('undo')?.click();
  } else return;
  event.preventDefault();
}
document.addEventListener('keydown', pressByKey);

document.addEventListener('keydown', (event) => {
  if (event.key !== 'Escape' || !document.getElementById('choices')) return;
  if (document.getElementById('notice').hasChildNodes()) dismiss();
  else if (before.length) back();
});

draw();
// Whoever comes to a table to decide begins with the first choice, unless a link leads to a part of the page.
if (document.activeElement === document.body && !location.hash && document.querySelector('#live.running #choices')) focusQuietly();
